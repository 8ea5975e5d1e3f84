import type { Socket } from 'node:net';
import type { buildConnector, Pool } from 'undici';
import { loopTime } from '#loop-time';
import { OutboundError } from './outbound-error.js';

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The most bytes to read of the response body; 64 KB when left out. */
  maxBytes?: number;
  /** From the first byte sent to the last byte read; 15 s when left out. */
  timeoutMs?: number;
  /** Aborts the request earlier. */
  signal?: AbortSignal;
}

export interface OutboundAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

export const connectTimeoutMs = 5_000;
const defaultTimeoutMs = 15_000;
const defaultMaxBytes = 65_536;

/**
 * Requests to one URL within a short time: its name is resolved once, and connections to that address are kept between
 * requests. The caller must end it.
 */
export class Visit {
  private readonly pool: Promise<Pool>;
  private hasConnected = false;

  /** @param address the checked address of the URL's host, which may be refused. */
  constructor(
    readonly url: string,
    address: Promise<string>,
  ) {
    const { owner } = loopTime;
    const onConnect = (socket: Socket): void => {
      this.hasConnected = true;
      // Reading a response takes time of the event loop too.
      socket.prependListener('readable', () => loopTime.enter(owner));
    };
    this.pool = address.then((checked) => poolOf(new URL(url).origin, checked, onConnect));
    // Each request reports its own error.
    this.pool.catch(() => undefined);
  }

  /** @throws OutboundError; a response with any status, including a redirect, is a response. */
  async fetch(request: OutboundRequest = {}): Promise<OutboundAnswer> {
    const { method = 'GET', headers = {}, body, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = request;
    const pool = await this.pool;
    const { pathname, search } = new URL(this.url);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      const answer = await pool.request({ path: pathname + search, method, headers, body, signal });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await read(answer.body, maxBytes) };
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (!this.hasConnected) throw new OutboundError('unreachable', 'The connection failed.', error);
      if (signal.aborted) throw new OutboundError('timeout', `No complete response within ${timeoutMs} ms.`, error);
      throw new OutboundError('broken', 'The connection failed.', error);
    }
  }

  /** Breaks what is in progress. */
  async end(): Promise<void> {
    const pool = await this.pool.catch(() => undefined);
    await pool?.destroy();
  }
}

/** Connects to the checked address; TLS and the Host header keep the name. undici is loaded at first use. */
async function poolOf(origin: string, address: string, onConnect: (socket: Socket) => void): Promise<Pool> {
  const undici = await import('undici');
  const connectTo = undici.buildConnector({ timeout: connectTimeoutMs });
  const connect: buildConnector.connector = (options, callback) =>
    connectTo({ ...options, hostname: address }, (...result) => {
      if (!result[0]) onConnect(result[1]);
      callback(...result);
    });
  return new undici.Pool(origin, { connect });
}

async function read(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new OutboundError('too-large', `The response is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
