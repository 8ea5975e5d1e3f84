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

/** Say where a body ends; without them the cell reads the body as further requests. No sender may have them dropped. */
const framing = ['content-length', 'transfer-encoding'];

/** What the entry says itself, and what it has answered itself. */
const replaced = new Set([
  'expect',
  'forwarded',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

/** Name and value in turns, in the order and spelling in which they came, so that a header that came twice goes on twice. */
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
  /** Whether what the client says of where it comes from is believed. */
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
