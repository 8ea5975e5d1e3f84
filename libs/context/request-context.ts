import type { RequestCaller } from '#access';
import type { Action, Answer } from '#errors';
import type { Operation } from '#operations';

/** How a request arrived: over HTTP, or from within the process, where it is already authenticated and counted. */
export type Door = 'rest' | 'mcp' | 'page' | 'workflow' | 'approval';

/** What a request contains before validation. */
export interface RawInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * A credential as a request presents it. An object and not a function that looks it up: V8's collector of short-lived
 * objects keeps whatever such a function refers to, here everything of the request, until the next full collection.
 */
export interface PresentedCredential {
  readonly authorization: string | undefined;
  /** The client's address, derived from the connection and X-Forwarded-For according to TRUSTED_PROXIES. */
  readonly ip?: string | undefined;
  /** The client's User-Agent. */
  readonly agent?: string | undefined;
}

/** The client of a request, which hears how far it is. An object with methods for the same reason. */
export interface WaitingClient {
  /** Everything before the handler has accepted the request: the last moment to abandon it. */
  onHandling(): void;
  /** @param progress a fraction of 1. */
  onProgress(progress: number, message: string): void;
}

/** Reads a large JSON body without blocking the event loop. */
export type ReadLarge = (bytes: Buffer, owner?: string) => Promise<unknown>;

/**
 * One request to one operation, over any door. REST creates one for each HTTP request, MCP for each tool call, a page for
 * each list that it shows and each form, and a workflow for each step. Guards and interceptors read this and never the HTTP request itself.
 */
export class RequestContext {
  caller?: RequestCaller;
  /** What the caller was looked up by; responses that take long look it up again. */
  presented?: PresentedCredential;
  /** Known from the first guard on; absent on pages, documents and unknown paths. */
  operation?: Operation;
  /** The class that handles the operation names the failing service in validation errors. */
  service?: string;
  /** The size of a message of MCP that is larger than usual; how much its operation accepts is known only afterwards. */
  largeMessageBytes?: number;
  /** The validated input, after validation. */
  input?: object;
  /** The raw input, once it has been read; the source of fingerprints. */
  raw?: RawInput;
  /** The Idempotency-Key as received, before parsing. */
  idempotencyKey?: string;
  /** If-Match as received. */
  ifMatch?: string;
  /** Which records to show beside the others, and which fields, as received, before parsing. */
  include?: unknown;
  fields?: unknown;
  /** Whether to rehearse a write, as received, before parsing. */
  dryRun?: unknown;
  /** Why an assistant asks, in its own words. */
  reason?: string;
  /** The approval that an earlier call of the same request waits for. */
  askedApproval?: string;
  /** The approval that a request carries out, with the fingerprint of the original. */
  approval?: { readonly id: string; readonly fingerprint: string };
  /** What a rehearsal would have changed, all of it. */
  rehearsed?: readonly object[];
  /** Prefer as received (RFC 7240). */
  prefer?: string;
  /** Who hears how far the request is. */
  client?: WaitingClient;
  /** For an HTTP request with a tool call, or with a page's form: the operation and the outcome. */
  toolCall?: { operation: Operation; answer: Answer };
  /** What the request was answered with; absent for streams and files. */
  answer?: Answer;
  /** Set once the request has counted against the limits of its address. */
  countedByAddress = false;
  /** Set if the path cannot be decoded. */
  malformedPath = false;
  /** In milliseconds of `performance.now()`. */
  readonly startedAt = performance.now();

  constructor(
    readonly door: Door,
    /** The id that the client sent, or a UUID. */
    readonly requestId: string,
    /** The service's own id of the HTTP request or workflow step, for the log and the audit trail. */
    readonly logId: string,
    /** Reads path, query and body; called after the guards, so that 401, 403 and 429 come before 400. */
    readonly readRaw: (readLarge: ReadLarge) => Promise<RawInput>,
    /** What a validation error names while no operation is known. */
    private readonly httpMethod = 'POST',
  ) {}

  /** What a validation error names: the operation, or the HTTP method if no operation was found. */
  get action(): Action {
    return this.service && this.operation
      ? { service: this.service, method: this.operation.name }
      : { service: 'http', method: this.httpMethod };
  }
}
