/** What the service says about an error in the body of its response. */
interface ErrorBody {
  error: { type: string; code: string; message: string; details?: Record<string, unknown> };
  meta: { requestId: string };
}

/** The service rejected a request. `instanceof` one of the classes below tells its kind, and `code` the exact reason. */
export class ApiError extends Error {
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
    this.name = new.target.name;
    this.status = status;
    this.type = error.type;
    this.code = error.code;
    this.details = error.details ?? {};
    this.requestId = meta.requestId || (headers.get('X-Request-Id') ?? undefined);
    const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : undefined;
  }
}

export class ValidationError extends ApiError {}
export class AuthenticationError extends ApiError {}
export class AuthorizationError extends ApiError {}
export class NotFoundError extends ApiError {}
export class ConflictError extends ApiError {}
export class BusinessRuleError extends ApiError {}
export class RateLimitError extends ApiError {}
export class InternalError extends ApiError {}
export class ProviderError extends ApiError {}
export class ServiceUnavailable extends ApiError {}

const classes: Record<number, typeof ApiError> = {
  400: ValidationError,
  401: AuthenticationError,
  403: AuthorizationError,
  404: NotFoundError,
  409: ConflictError,
  422: BusinessRuleError,
  429: RateLimitError,
  500: InternalError,
  502: ProviderError,
  503: ServiceUnavailable,
};

export const errorOf = (response: Response, body: unknown): ApiError =>
  new (classes[response.status] ?? ApiError)(response, body);

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
