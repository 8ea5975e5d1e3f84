import { errorRow } from './error-types.js';
import { ServiceError } from './service-error.js';

/** What a request is answered with, whichever door it came through: the exact bytes, so that a replay is exact too. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The action that a validation error names: the feature and the operation. Where no operation was found, it is `http`
 * and the HTTP method, or `parse` where not even a method could be read.
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

/** The error as it may be told: whatever is not ours becomes INTERNAL_ERROR, and its own words are withheld. */
export const asServiceError = (error: unknown): ServiceError => (error instanceof ServiceError ? error : unexpected);

/** The specification's error envelope; details are left out when they are empty. */
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

/** The one builder of error answers, called by the interceptor and, for what never reaches it, by the filter. */
export function errorAnswer(thrown: unknown, requestId: string, action: Action): Answer {
  const error = asServiceError(thrown);
  return {
    status: error.status,
    body: JSON.stringify(errorEnvelope(error, requestId, action)),
    headers: error.headers,
  };
}
