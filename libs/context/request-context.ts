import type { Caller } from '#access';
import type { Action } from '#errors';
import type { Operation } from '#operations';

/** How a request came in: over HTTP, or from within the process, authenticated and counted by then. */
export type Door = 'rest' | 'mcp' | 'workflow';

/** What came with a request before anything was validated. */
export interface RawInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * One request to one operation, whichever door it came through. REST makes one for each HTTP request, MCP one for each
 * tool call, a workflow one for each of its steps; guards and interceptors read this and never the HTTP request itself.
 */
export class RequestContext {
  caller?: Caller;
  /** Looks the credential up anew, for answers that take long. */
  reauthenticate?: () => Promise<Caller>;
  /** Known from the first guard on; absent on pages, documents and unknown paths. */
  operation?: Operation;
  /** The class that handles the operation names the failing service in validation errors. */
  service?: string;
  /** The validated input, once it is. */
  input?: object;
  /** The raw input, once it has been read; fingerprints are taken of it. */
  raw?: RawInput;
  /** The Idempotency-Key as it came, not yet read. */
  idempotencyKey?: string;
  /** If-Match as it came. */
  ifMatch?: string;
  /** Prefer as it came (RFC 7240). */
  prefer?: string;
  /** Told how far a request has come that is waited for: a fraction of 1, and what is going on. */
  onProgress?: (progress: number, message: string) => void;
  /** Called once all that comes before the handler has let the request through: the last moment to give it up. */
  onHandling?: () => void;
  /** Of an HTTP request that carried a tool call: what it asked for, and how that was answered. */
  toolCall?: { operation: Operation; status: number };
  /** Set once the request has counted against the limits of its address. */
  countedByAddress = false;
  /** Set where the address cannot be decoded. */
  malformedPath = false;

  constructor(
    readonly door: Door,
    /** As the client chose it, or a UUID. */
    readonly requestId: string,
    /** The service's own id of the HTTP request or workflow step, for the log and the audit trail. */
    readonly logId: string,
    /** Reads path, query and body; called after the guards, so that 401, 403 and 429 come before 400. */
    readonly readRaw: () => Promise<RawInput>,
    /** What a validation error names as long as no operation is known. */
    private readonly httpMethod = 'POST',
  ) {}

  /** What a validation error names: the operation, or the HTTP method where no operation was found. */
  get action(): Action {
    return this.service && this.operation
      ? { service: this.service, method: this.operation.name }
      : { service: 'http', method: this.httpMethod };
  }
}
