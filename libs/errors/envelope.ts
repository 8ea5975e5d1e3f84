import { mapInTurns } from '#turns';
import { errorRow } from './error-types.js';
import { ServiceError } from './service-error.js';

interface Head {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an operation returns: one record, or a list, with `pagination` if it is a page. */
export interface SuccessEnvelope {
  data: unknown;
  meta: {
    requestId: string;
    pagination?: { limit: number; nextCursor: string | null };
    /** That a list was cut, and how to continue. */
    truncated?: string;
    /** Of a write that was rehearsed, and what it would have changed. */
    dryRun?: true;
    effects?: readonly object[];
    effectsTotal?: number;
    warnings?: readonly string[];
    /** Of a write: whether undoChanges can undo it. */
    undoable?: boolean;
    /** Where the feed of events continues after a page. */
    feedCursor?: string;
    /** For a record that another system saved: the outcome, and the hash of its content. */
    outcome?: string;
    contentHash?: string;
  };
}

/** The response to a request, over either door; the door writes its value as JSON (`bodyOf`). An error has a code. */
export type Answer =
  | (Head & { readonly code?: undefined; readonly value: SuccessEnvelope })
  | (Head & { readonly code: string; readonly value: ErrorEnvelope });

/** Errors that another attempt may avoid. A 409 with `Retry-After` says that an earlier attempt is still in progress. */
export const isPassing = ({ status, code, headers }: Answer): boolean =>
  status === 429 || (status >= 500 && code !== 'NON_RETRYABLE') || (status === 409 && 'Retry-After' in headers);

/** The bytes of a response: the same for the same value, so that a replay is exact. A long list takes several turns. */
export async function bodyOf({ value }: Answer): Promise<string> {
  if ('error' in value || !Array.isArray(value.data)) return JSON.stringify(value);
  const records = await mapInTurns(value.data, (record) => JSON.stringify(record));
  return `{"data":[${records.join(',')}],"meta":${JSON.stringify(value.meta)}}`;
}

/**
 * The action that a validation error names: the feature and the operation. If no operation was found, it is `http` and
 * the HTTP method, or `parse` if even the method could not be read.
 */
export interface Action {
  readonly service: string;
  readonly method: string;
}

export interface ErrorEnvelope {
  error: { type: string; code: string; message: string; details?: Record<string, unknown> };
  meta: { requestId: string };
}

const unexpected = new ServiceError({ status: 500, message: 'Internal server error' });

/** The error as clients may see it: an unexpected error becomes INTERNAL_ERROR, without its own message. */
export const asServiceError = (error: unknown): ServiceError => (error instanceof ServiceError ? error : unexpected);

/** The specification's error envelope; empty details are left out. */
export function errorEnvelope(error: ServiceError, requestId: string, action: Action): ErrorEnvelope {
  const { type } = errorRow(error.status);
  const details =
    type === 'validation_error' ? { ...error.details, service: action.service, method: action.method } : error.details;
  return {
    error: {
      type,
      code: error.code,
      message: error.message,
      ...(Object.keys(details).length > 0 && { details }),
    },
    meta: { requestId },
  };
}

/**
 * The only builder of error responses, called by the interceptor and, for requests that do not reach it, by the filter.
 */
export function errorAnswer(thrown: unknown, requestId: string, action: Action): Answer {
  const error = asServiceError(thrown);
  const { status, code, headers } = error;
  return { status, code, headers, value: errorEnvelope(error, requestId, action) };
}
