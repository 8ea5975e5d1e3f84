import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { AllowedDestinations, isPublicAddress } from './addresses.js';
import { OutboundError } from './outbound-error.js';
import { connectTimeoutMs, type OutboundAnswer, type OutboundRequest, Visit } from './visit.js';

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
    else if (isLoopbackName(place.host)) this.judge(place, ['127.0.0.1']);
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
    const visit = this.visit(url);
    try {
      return await visit.fetch(request);
    } finally {
      await visit.end();
    }
  }

  /** For several requests to the same URL, right after each other or at the same time. */
  visit(url: string): Visit {
    return new Visit(url, this.destination(url));
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

/** RFC 6761, section 6.3: such names always mean this machine. */
const isLoopbackName = (host: string): boolean => /(^|\.)localhost\.?$/.test(host);

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
