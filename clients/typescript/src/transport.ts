import { setTimeout as pause } from 'node:timers/promises';
import createClient from 'openapi-fetch';
import { ApiError, ConnectionError, errorOf } from './errors.js';
import { Pace } from './pace.js';

export interface TransportOptions {
  /** Address of the service, such as https://api.example.org. */
  baseUrl: string;
  /** API key or access token, or a function that returns the one to use now. */
  apiKey: string | (() => string | Promise<string>);
  /** How often a request is sent again after a failure that may pass. Default: 6. */
  maxRetries?: number;
  /** How long to wait for a response before the request is sent again. Default: 60. */
  timeoutSeconds?: number;
  /** Default: the global fetch. */
  fetch?: (request: Request) => Promise<Response>;
}

/** A request that is ready to be sent, any number of times. */
export interface Outgoing {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  pathFields: Record<string, string>;
  query: Record<string, unknown>;
  body?: Record<string, unknown> | undefined;
  headers: Record<string, string>;
  parseAs?: 'json' | 'stream';
  signal?: AbortSignal | undefined;
}

/** Beyond this, the caller decides whether to wait. */
const longestWaitSeconds = 120;
const longestGrowthMs = 30_000;

/** Sends requests within the rate limit, and again after failures that may pass. */
export class Transport {
  private readonly http;
  private readonly pace = new Pace();

  constructor(private readonly options: TransportOptions) {
    this.http = createClient<Record<string, never>>({
      baseUrl: options.baseUrl.replace(/(\/api\/v1)?\/*$/, '/api/v1'),
      // Lists in a query are separated by commas.
      querySerializer: { array: { style: 'form', explode: false } },
    });
  }

  /** @throws ApiError, ConnectionError, or the reason of an aborted signal. */
  async send(outgoing: Outgoing): Promise<unknown> {
    for (let attempt = 0; ; attempt += 1) {
      await this.pace.turn(outgoing.signal);
      const { value, error, isPassing } = await this.attempt(outgoing);
      if (!error) return value;
      outgoing.signal?.throwIfAborted();
      const waitMs = waitMsAfter(error, attempt);
      if (!isPassing || attempt >= (this.options.maxRetries ?? 6) || waitMs > longestWaitSeconds * 1_000) throw error;
      await pause(waitMs, undefined, { signal: outgoing.signal });
    }
  }

  private async attempt({
    method,
    path,
    pathFields,
    query,
    body,
    headers,
    parseAs,
    signal,
  }: Outgoing): Promise<Outcome> {
    const { apiKey, timeoutSeconds = 60 } = this.options;
    const token = typeof apiKey === 'function' ? await apiKey() : apiKey;
    // A stream lasts as long as it is read.
    const timeout = parseAs === 'stream' ? [] : [AbortSignal.timeout(timeoutSeconds * 1_000)];
    // What fails before it is sent cannot be sent: an address or a header that is not valid.
    let isSent = false;
    const fetch = (request: Request): Promise<Response> => {
      isSent = true;
      return (this.options.fetch ?? globalThis.fetch)(request);
    };
    try {
      const { data, error, response } = await this.http.request(
        method as never,
        path as never,
        {
          fetch,
          params: { path: pathFields, query },
          ...(body && { body }),
          headers: { ...headers, Authorization: `Bearer ${token}` },
          ...(parseAs && { parseAs }),
          signal: AbortSignal.any([...(signal ? [signal] : []), ...timeout]),
        } as never,
      );
      this.pace.read(response.headers);
      if (response.ok) return { value: data };
      return { error: errorOf(response, error), isPassing: mayPass(response) };
    } catch (cause) {
      if (!isSent) throw cause;
      return { error: new ConnectionError(`No response from ${path}`, { cause }), isPassing: true };
    }
  }
}

interface Outcome {
  value?: unknown;
  error?: ApiError | ConnectionError;
  isPassing?: boolean;
}

/** A replay would be the same again, and a conflict passes only where the service says when. */
const mayPass = ({ status, headers }: Response): boolean =>
  !headers.has('Idempotent-Replayed') &&
  ([429, 500, 502, 503, 504].includes(status) || (status === 409 && headers.has('Retry-After')));

/** Retry-After and up to a tenth more, or pauses that double; chance keeps clients from coming back together. */
function waitMsAfter(error: ApiError | ConnectionError, attempt: number): number {
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  if (seconds !== undefined) return 1_000 * seconds + Math.random() * Math.max(100, 100 * seconds);
  return Math.min(longestGrowthMs, 500 * 2 ** attempt) * (0.5 + Math.random() / 2);
}
