import { errorRow } from './error-types.js';

/** One failing field: where it is in the input, and what to write there. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

export interface ErrorParts {
  status: number;
  /** UPPER_SNAKE_CASE; the default code of the status when left out. */
  code?: string;
  message: string;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** True if every retry would get the same response, so that it may be stored for idempotent retries. */
  deterministic?: boolean;
  cause?: unknown;
}

/** A rejection or failure that the service returns in its envelope. Features throw those that the factories create. */
export class ServiceError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly headers: Record<string, string>;
  readonly deterministic: boolean;

  constructor({ status, code, message, details = {}, headers = {}, deterministic = false, cause }: ErrorParts) {
    super(message, { cause });
    this.name = 'ServiceError';
    this.status = status;
    this.code = code ?? errorRow(status).code;
    this.details = details;
    this.headers = headers;
    this.deterministic = deterministic;
  }
}
