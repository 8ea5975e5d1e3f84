import type { IncomingMessage } from 'node:http';

/** Belong to one connection and not to the message (RFC 9110, section 7.6.1). */
const ofOneHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);

/**
 * Headers that say where a body ends; without them the cell would read the body as further requests. Clients cannot
 * drop them.
 */
const framing = ['content-length', 'transfer-encoding'];

/** Headers that the entry sets or has handled itself. */
const replaced = new Set([
  'expect',
  'forwarded',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

/** Names and values alternating, in their original order and spelling, so that a repeated header is passed on twice. */
function endToEnd({ rawHeaders, headers }: IncomingMessage, without?: ReadonlySet<string>): string[] {
  const named = new Set((headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  for (const name of framing) named.delete(name);
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    const lower = name.toLowerCase();
    if (!ofOneHop.has(lower) && !named.has(lower) && !without?.has(lower))
      kept.push(name, rawHeaders[index + 1] as string);
  }
  return kept;
}

export interface Forwarding {
  /** The cell's. */
  host: string;
  requestId: string;
  /** Whether the client's claims about its address are trusted. */
  trustsProxies: boolean;
}

/** The headers of a request as its cell is to see them. */
export function requestHeaders(request: IncomingMessage, { host, requestId, trustsProxies }: Forwarding): string[] {
  const known = trustsProxies ? request.headersDistinct['x-forwarded-for'] : undefined;
  const from = [...(known ?? []), request.socket.remoteAddress ?? ''].join(', ');
  return [...endToEnd(request, replaced), 'Host', host, 'X-Request-Id', requestId, 'X-Forwarded-For', from];
}

/** A client of HTTP/1.0 reads no chunks, so Node says how each answer is sent. */
const sentAnew = new Set(['transfer-encoding']);

/** The headers of a cell's answer as the client is to see them. */
export const answerHeaders = (answer: IncomingMessage): string[] => endToEnd(answer, sentAnew);
