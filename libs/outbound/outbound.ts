import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { buildConnector, Client } from 'undici';
import { AllowedDestinations, isPublicAddress } from './addresses.js';

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

/**
 * `refused`: not allowed, nothing was sent. `unreachable`: no connection. `broken`: the request may have been received.
 */
export type OutboundFailure = 'refused' | 'unreachable' | 'broken' | 'timeout' | 'too-large';

export class OutboundError extends Error {
  constructor(
    readonly failure: OutboundFailure,
    message: string,
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'OutboundError';
  }
}

/** Every address of a host. */
export type Resolve = (host: string) => Promise<string[]>;

const resolveBySystem: Resolve = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** The protocol: `http` for http: and https:, `mqtt` for mqtt: and mqtts:. */
export type Scheme = keyof typeof usualPorts;

const usualPorts = { http: { plain: 80, secure: 443 }, mqtt: { plain: 1_883, secure: 8_883 } };

interface Place {
  scheme: Scheme;
  host: string;
  isSecure: boolean;
  port: number;
}

const connectTimeoutMs = 5_000;
const defaultTimeoutMs = 15_000;
const defaultMaxBytes = 65_536;

/**
 * The only way to connect to addresses from clients (OWASP, server-side request forgery): public addresses over TLS,
 * with the name resolved once, the connection made to that address, and redirects never followed.
 */
export class Outbound {
  private readonly allowed: AllowedDestinations;

  constructor(
    allow: readonly string[] = [],
    private readonly resolve: Resolve = resolveBySystem,
  ) {
    this.allowed = new AllowedDestinations(allow);
  }

  /**
   * Checks what the URL itself forbids, without resolving its name; every request resolves it again.
   *
   * @throws OutboundError `refused`.
   */
  check(url: string, scheme: Scheme = 'http'): void {
    const place = placeOf(url, scheme);
    if (isIP(place.host)) this.judge(place, [place.host]);
    else if (!place.isSecure && !this.allowed.hasHost(place.host) && !this.allowed.hasRanges) throw insecure(scheme);
  }

  /**
   * The address that a request to the URL would use.
   *
   * @throws OutboundError `refused` if it is not allowed, `unreachable` if the name does not resolve.
   */
  async destination(url: string, scheme: Scheme = 'http'): Promise<string> {
    const place = placeOf(url, scheme);
    const addresses = isIP(place.host) ? [place.host] : await this.addressesOf(place.host);
    this.judge(place, addresses);
    return addresses[0] as string;
  }

  /**
   * A connection for a protocol other than HTTP, over TLS if the URL's scheme requires it. The caller must end it.
   *
   * @throws OutboundError `refused` or `unreachable`.
   */
  async connect(url: string, scheme: Exclude<Scheme, 'http'>, given?: AbortSignal): Promise<Socket> {
    const address = await this.destination(url, scheme);
    const { host, isSecure, port } = placeOf(url, scheme);
    const target = { host: address, port };
    const socket = isSecure
      ? connectSecurely({ ...target, servername: isIP(host) ? undefined : host })
      : connectPlain(target);
    try {
      const timeout = AbortSignal.timeout(connectTimeoutMs);
      const signal = given ? AbortSignal.any([given, timeout]) : timeout;
      await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
      return socket;
    } catch (error) {
      socket.on('error', () => undefined).destroy();
      throw new OutboundError('unreachable', 'The connection failed.', error);
    }
  }

  /** @throws OutboundError; a response with any status, including a redirect, is a response. */
  async fetch(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    const { method = 'GET', headers = {}, body, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = request;
    const address = await this.destination(url);
    const { origin, pathname, search } = new URL(url);
    let connected = false;
    const client = new Client(origin, { connect: pinnedTo(address, () => (connected = true)) });
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal ? AbortSignal.any([request.signal, timeout]) : timeout;
    try {
      const answer = await client.request({ path: pathname + search, method, headers, body, signal });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await read(answer.body, maxBytes) };
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (!connected) throw new OutboundError('unreachable', 'The connection failed.', error);
      if (signal.aborted) throw new OutboundError('timeout', `No complete response within ${timeoutMs} ms.`, error);
      throw new OutboundError('broken', 'The connection failed.', error);
    } finally {
      await client.destroy();
    }
  }

  private judge({ host, isSecure, scheme }: Place, addresses: readonly string[]): void {
    const opened = this.allowed.hasHost(host) || addresses.every((address) => this.allowed.hasAddress(address));
    if (!opened && !isSecure) throw insecure(scheme);
    if (!opened && !addresses.every(isPublicAddress)) throw refused(`${host} is not on the public internet.`);
  }

  private async addressesOf(host: string): Promise<string[]> {
    const addresses = await this.resolve(host).catch((error: unknown) => {
      throw new OutboundError('unreachable', `${host} has no address.`, error);
    });
    if (addresses.length === 0) throw new OutboundError('unreachable', `${host} has no address.`);
    return addresses;
  }
}

const refused = (message: string): OutboundError => new OutboundError('refused', message);

const insecure = (scheme: Scheme): OutboundError => refused(`Only ${scheme}s addresses are allowed.`);

/** The URL parser normalizes other spellings of an IPv4 address for http; for other schemes the resolver does. */
function placeOf(url: string, scheme: Scheme): Place {
  if (!URL.canParse(url)) throw refused('This is not a valid address.');
  const { protocol, hostname, port, username, password } = new URL(url);
  if (username || password) throw refused('Addresses with a user name or password are not allowed.');
  const isSecure = protocol === `${scheme}s:`;
  if (!isSecure && protocol !== `${scheme}:`) throw insecure(scheme);
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return { scheme, host, isSecure, port: Number(port) || usualPorts[scheme][isSecure ? 'secure' : 'plain'] };
}

/** Connects to the checked address; TLS and the Host header keep the name. */
function pinnedTo(address: string, onConnect: () => void): buildConnector.connector {
  const connect = buildConnector({ timeout: connectTimeoutMs });
  return (options, callback) =>
    connect({ ...options, hostname: address }, (...result) => {
      if (!result[0]) onConnect();
      callback(...result);
    });
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
