import { errorRow } from './error-types.js';

/** One failing field: where it is in the input, and what to write there. */
export interface Issue {
  path: (string | number)[];
  message: string;
}

export interface ErrorParts {
  status: number;
  /** UPPER_SNAKE_CASE; the status' own code when left out. */
  code?: string;
  message: string;
  details?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** True when the answer would be the same at every retry, so that an idempotent retry may be given it again. */
  deterministic?: boolean;
  cause?: unknown;
}

/** A refusal or failure that the service answers with its envelope. Features throw what the factories below make. */
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
