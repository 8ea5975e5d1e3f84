import { type Issue, ServiceError } from './service-error.js';

/** 400: the input breaks its rules; every failing field is named. Never stored: a corrected retry may use the key. */
export const invalidInput = (issues: Issue[]): ServiceError =>
  new ServiceError({
    status: 400,
    message: 'Some fields are not valid; details.issues names each of them and what to write there.',
    details: { issues },
  });

/** 400 about one place of the input. */
export const invalidField = (path: Issue['path'], message: string): ServiceError => invalidInput([{ path, message }]);

const known = new Map<string, string>();

/**
 * A known business rejection (specification, error envelope: details.key): re-typed to validation_error, with the
 * machine key kept in the details and a sentence that says what to change. Made once, at module level, so that the
 * catalogue of keys is complete as soon as the features are loaded.
 */
export function rejection(key: string, sentence: string): () => ServiceError {
  if (known.has(key)) throw new Error(`The rejection ${key} is declared twice`);
  known.set(key, sentence);
  return () => new ServiceError({ status: 400, message: sentence, details: { key }, deterministic: true });
}

/** Every known business rejection: key and sentence. */
export const rejections = (): ReadonlyMap<string, string> => known;

/** 401: nothing is said that an outsider could use. */
export const unauthorized = (message: string): ServiceError => new ServiceError({ status: 401, message });

/** 403: the credential is good and may not do this. */
export const forbidden = (message: string, code?: string, details?: Record<string, unknown>): ServiceError =>
  new ServiceError({ status: 403, code, message, details, deterministic: true });

/** 404: absent, of another organization, or out of the credential's sight; the three are never told apart. */
export const notFound = (what: string): ServiceError =>
  new ServiceError({ status: 404, message: `No such ${what} is visible to this credential.`, deterministic: true });

/** 409: the state of things forbids it. */
export const conflict = (code: string, message: string, details?: Record<string, unknown>): ServiceError =>
  new ServiceError({ status: 409, code, message, details, deterministic: true });

/** 422: well-formed, and can never be applied. */
export const cannotBeApplied = (message: string): ServiceError =>
  new ServiceError({ status: 422, message, deterministic: true });

/** 500 with a code of its own: a retry would fail the same way. */
export const nonRetryable = (message: string, cause?: unknown): ServiceError =>
  new ServiceError({ status: 500, code: 'NON_RETRYABLE', message, deterministic: true, cause });

/** 503: try again after so many whole seconds. */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown): ServiceError =>
  new ServiceError({ status: 503, message, headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
