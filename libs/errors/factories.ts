import { type Issue, ServiceError } from './service-error.js';

/**
 * 400: the input is invalid; every failing field is listed. Never stored, so a corrected retry may use the same key.
 */
export const invalidInput = (issues: Issue[]): ServiceError =>
  new ServiceError({ status: 400, message: sentenceOf(issues), details: { issues } });

/** The first issue, because some clients show people and models nothing but the message. */
function sentenceOf([first, ...others]: Issue[]): string {
  if (!first) return 'The input is invalid.';
  // A client's own names can be of any length.
  const place = first.path.length > 0 ? `Field ${first.path.join('.').slice(0, 100)}: ` : '';
  return `${place}${first.message}${others.length > 0 ? ` details.issues has ${others.length} more.` : ''}`;
}

/** 400 about one place of the input. */
export const invalidField = (path: Issue['path'], message: string): ServiceError => invalidInput([{ path, message }]);

const known = new Map<string, string>();

/**
 * A known business rejection (specification, error envelope: details.key): a validation_error with the machine key in
 * the details and a sentence that says what to change. Create it at module level, so that the catalogue of keys is
 * complete when the features are loaded.
 */
export function rejection(key: string, sentence: string): () => ServiceError {
  if (known.has(key)) throw new Error(`The rejection ${key} is declared twice`);
  known.set(key, sentence);
  return () => new ServiceError({ status: 400, message: sentence, details: { key }, deterministic: true });
}

/** The same rejection with another sentence, for an operation that has another way out. */
export const reworded = (rejected: () => ServiceError, sentence: string) => (): ServiceError =>
  new ServiceError({ status: 400, message: sentence, details: rejected().details, deterministic: true });

/** Every known business rejection, with its key and sentence. */
export const rejections = (): ReadonlyMap<string, string> => known;

/** 401: the message contains nothing that an outsider could use. */
export const unauthorized = (message: string): ServiceError => new ServiceError({ status: 401, message });

/** 403: the credential is valid but may not do this. */
export const forbidden = (message: string, code?: string, details?: Record<string, unknown>): ServiceError =>
  new ServiceError({ status: 403, code, message, details, deterministic: true });

/**
 * 404: absent, in another organization, or not visible to the credential; the response does not reveal which.
 * @param next where to get what exists.
 */
export const notFound = (what: string, next = 'Check the id.'): ServiceError =>
  new ServiceError({
    status: 404,
    message: `${what[0]?.toUpperCase()}${what.slice(1)} not found. ${next}`,
    deterministic: true,
  });

const records = new Map<string, { what: string; source?: string }>();

/**
 * The 404 of a record. Declared at module level, so that a malformed id gets the same answer as an absent record.
 * @param source the operation that returns such ids.
 */
export function recordNotFound(prefix: string, source: string, what = prefix): () => ServiceError {
  records.set(prefix, { what, source });
  return () => notFound(what, nextFor(what, prefix, source));
}

const nextFor = (what: string, prefix: string, source: string, hint = ''): string =>
  `Pass ${/^[aeio]/i.test(what) ? 'an' : 'a'} ${what} id (${prefix}_…) from ${source}${hint}.`;

/** 404 for a text that is not an id. Often it is a name, so that the edge looks for the record of that name. */
export class MalformedId extends ServiceError {
  constructor(
    readonly prefix: string,
    readonly given: string,
    hint = '',
  ) {
    const { what, source } = records.get(prefix) ?? { what: prefix };
    super(source === undefined ? notFound(what) : notFound(what, nextFor(what, prefix, source, hint)));
  }

  /** The same with the id of the only record that has this name. */
  named(id: string): MalformedId {
    return new MalformedId(this.prefix, this.given, `; '${this.given}' is ${id}`);
  }
}

/** 409: the current state does not allow it. */
export const conflict = (code: string, message: string, details?: Record<string, unknown>): ServiceError =>
  new ServiceError({ status: 409, code, message, details, deterministic: true });

/** 422: well-formed, but it can never be applied. */
export const cannotBeApplied = (message: string): ServiceError =>
  new ServiceError({ status: 422, message, deterministic: true });

/** 500 with its own code, for what the operator has to set up first: every request fails in the same way. */
export class NotSetUp extends ServiceError {
  constructor(message: string) {
    super({ status: 500, code: 'NON_RETRYABLE', message, deterministic: true });
  }
}

/** 503: retry after this number of whole seconds. */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown): ServiceError =>
  new ServiceError({ status: 503, message, headers: { 'Retry-After': String(retryAfterSeconds) }, cause });
