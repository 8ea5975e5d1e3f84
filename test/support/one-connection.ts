import { once } from 'node:events';
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Json } from './api.js';

/** Longer than any response takes, and shorter than a server waits for the rest of a request. */
const patienceMs = 10_000;

/** Sends messages to /mcp one after the other over a single connection, as a client with a pool of one does. */
export function oneConnection(url: string, key: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(url);
  return {
    send: async (body: string): Promise<{ status: number; body: Json }> => {
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': Buffer.byteLength(body),
      };
      const signal = AbortSignal.timeout(patienceMs);
      const sent = httpRequest({ agent, hostname, port, path: '/mcp', method: 'POST', headers, signal });
      sent.end(body);
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode as number, body: (await json(answer)) as Json };
    },
    close: () => agent.destroy(),
  };
}
