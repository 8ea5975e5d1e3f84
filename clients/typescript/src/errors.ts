import type { ErrorDetails } from './generated/errors.js';

/** What the service says about an error in the body of its response. */
interface ErrorBody {
  error: { type: string; code: string; message: string; details?: Record<string, unknown> };
  meta: { requestId: string };
}

class Refused extends Error {
  readonly status: number;
  /** Kind of error, such as conflict_error. */
  readonly type: string;
  /** The exact reason, such as NIGHTS_TAKEN; the reference lists all. */
  readonly code: string;
  readonly details: Record<string, unknown>;
  /** Name it when you ask for help: the request log finds the request by it. */
  readonly requestId: string | undefined;
  /** When the same request may be sent again, if the service said so. */
  readonly retryAfterSeconds: number | undefined;
  /** Of an operation in bulk: the results of the items before those that this error is about. */
  results?: unknown[];

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>, body: unknown) {
    const { error, meta } = isErrorBody(body) ? body : unreadable(status);
    super(error.message);
    this.name = names[status as Kind] ?? 'ApiError';
    this.status = status;
    this.type = error.type;
    this.code = error.code;
    this.details = error.details ?? {};
    this.requestId = meta.requestId || (headers.get('X-Request-Id') ?? undefined);
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

/** An error with one of the codes of some statuses, and the details of that code. */
type Known<Status extends keyof ErrorDetails> = Error &
  Omit<Refused, 'code' | 'details'> &
  {
    [S in Status]: {
      [Code in keyof ErrorDetails[S]]: { code: Code; details: ErrorDetails[S][Code] };
    }[keyof ErrorDetails[S]];
  }[Status];
type ClassOf<Instance> = new (...given: never[]) => Instance;

/**
 * The service rejected a request. `instanceof` one of the classes below tells its kind, and `code` the exact reason, of
 * which `details` has the facts. A newer service may have codes that are not known here.
 */
export type ApiError = Known<keyof ErrorDetails>;
export const ApiError = Refused as unknown as ClassOf<ApiError>;

const names = {
  400: 'ValidationError',
  401: 'AuthenticationError',
  403: 'AuthorizationError',
  404: 'NotFoundError',
  409: 'ConflictError',
  422: 'BusinessRuleError',
  429: 'RateLimitError',
  500: 'InternalError',
  502: 'ProviderError',
  503: 'ServiceUnavailable',
};
type Kind = keyof typeof names;
const classes = new Map<number, typeof Refused>(
  Object.keys(names).map((status) => [Number(status), class extends Refused {}]),
);
const classOf = <Status extends Kind>(status: Status): ClassOf<Known<Status>> =>
  classes.get(status) as unknown as ClassOf<Known<Status>>;

export type ValidationError = Known<400>;
export const ValidationError = classOf(400);
export type AuthenticationError = Known<401>;
export const AuthenticationError = classOf(401);
export type AuthorizationError = Known<403>;
export const AuthorizationError = classOf(403);
export type NotFoundError = Known<404>;
export const NotFoundError = classOf(404);
export type ConflictError = Known<409>;
export const ConflictError = classOf(409);
export type BusinessRuleError = Known<422>;
export const BusinessRuleError = classOf(422);
export type RateLimitError = Known<429>;
export const RateLimitError = classOf(429);
export type InternalError = Known<500>;
export const InternalError = classOf(500);
export type ProviderError = Known<502>;
export const ProviderError = classOf(502);
export type ServiceUnavailable = Known<503>;
export const ServiceUnavailable = classOf(503);

export const errorOf = (response: Response, body: unknown): ApiError =>
  new (classes.get(response.status) ?? Refused)(response, body) as ApiError;

/** There was no response, or only a part of it; `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Of an operation in bulk: the results of the items before those that this error is about. */
  results?: unknown[];
}

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof (body as Partial<ErrorBody> | undefined)?.error?.code === 'string';

/** The response of something in between, such as a proxy. */
const unreadable = (status: number): ErrorBody => ({
  error: { type: 'unknown', code: `HTTP_${status}`, message: `The response was ${status}, without an error envelope.` },
  meta: { requestId: '' },
});
