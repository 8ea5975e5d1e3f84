import type { Caller } from '#access';
import type { Operation } from '#operations';

/** What came with a request before anything was validated. */
export interface RawInput {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/**
 * One request to one operation, whichever door it came through. REST makes one for each HTTP request, MCP one for each
 * tool call; guards and interceptors read this and never the HTTP request itself.
 */
export class RequestContext {
  caller?: Caller;
  /** Known from the first guard on; absent on pages, documents and unknown paths. */
  operation?: Operation;
  /** The class that handles the operation names the failing service in validation errors. */
  service?: string;
  /** The validated input, once it is. */
  input?: object;
  /** The raw input, once it has been read; fingerprints are taken of it. */
  raw?: RawInput;
  idempotencyKey?: string;
  /** Set once the answer came out of the idempotency records. */
  replayed = false;

  constructor(
    readonly door: 'rest' | 'mcp',
    readonly requestId: string,
    /** Reads path, query and body; called after the guards, so that 401, 403 and 429 come before 400. */
    readonly readRaw: (context: RequestContext) => Promise<RawInput>,
  ) {}
}
