import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { buildConnector, Client } from 'undici';
import { AllowedDestinations, isPublicAddress } from './addresses.js';

export interface OutboundRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The most that is read of the answer's body; 64 KB when left out. */
  maxBytes?: number;
  /** From the first byte sent to the last one read; 15 s when left out. */
  timeoutMs?: number;
}

export interface OutboundAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
}

/** `refused`: we may not go there, nothing was sent. `unreachable`: no connection. `broken`: it may have been received. */
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

const connectTimeoutMs = 5_000;
const defaultTimeoutMs = 15_000;
const defaultMaxBytes = 65_536;

/**
 * The one way out for addresses that clients gave us (OWASP, server-side request forgery): public https only, the name
 * resolved once and the connection made to that very address, redirects never followed.
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
   * What the URL alone forbids, without asking for the addresses of its name, which every request does anew.
   *
   * @throws OutboundError `refused`.
   */
  check(url: string): void {
    const { protocol, host } = partsOf(url);
    if (isIP(host)) this.judge(protocol, host, [host]);
    else if (protocol !== 'https:' && !this.allowed.hasHost(host) && !this.allowed.hasRanges) throw notHttps();
  }

  /**
   * The address that a request to the URL would go to.
   *
   * @throws OutboundError `refused` where we may not go, `unreachable` where the name does not resolve.
   */
  async destination(url: string): Promise<string> {
    const { protocol, host } = partsOf(url);
    const addresses = isIP(host) ? [host] : await this.addressesOf(host);
    this.judge(protocol, host, addresses);
    return addresses[0] as string;
  }

  /** @throws OutboundError; an answer of any status is an answer, a redirect too. */
  async fetch(url: string, request: OutboundRequest = {}): Promise<OutboundAnswer> {
    const { method = 'GET', headers = {}, body, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = request;
    const address = await this.destination(url);
    const { origin, pathname, search } = new URL(url);
    let connected = false;
    const client = new Client(origin, { connect: pinnedTo(address, () => (connected = true)) });
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await client.request({ path: pathname + search, method, headers, body, signal });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await read(answer.body, maxBytes) };
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (signal.aborted) throw new OutboundError('timeout', `No complete answer within ${timeoutMs} ms.`, error);
      throw new OutboundError(connected ? 'broken' : 'unreachable', 'The connection failed.', error);
    } finally {
      await client.destroy();
    }
  }

  private judge(protocol: string, host: string, addresses: readonly string[]): void {
    const opened = this.allowed.hasHost(host) || addresses.every((address) => this.allowed.hasAddress(address));
    if (!opened && protocol !== 'https:') throw notHttps();
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

const notHttps = (): OutboundError => refused('Only https addresses are taken.');

/** The URL parser writes decimal, octal and hexadecimal spellings of an IPv4 address as the dotted one. */
function partsOf(url: string): { protocol: string; host: string } {
  if (!URL.canParse(url)) throw refused('This is no address.');
  const { protocol, hostname, username, password } = new URL(url);
  if (username || password) throw refused('An address with a name or password in it is not taken.');
  if (protocol !== 'https:' && protocol !== 'http:') throw notHttps();
  return { protocol, host: hostname.replace(/^\[|\]$/g, '').toLowerCase() };
}

/** Connects to the address that was checked; the name stays for TLS and the Host header. */
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
    if (size > maxBytes) throw new OutboundError('too-large', `The answer is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const flat = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
