import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Json } from './api.js';

export interface Received {
  headers: IncomingHttpHeaders;
  /** Unchanged. */
  text: string;
  body: Json;
}

export interface Receiver {
  url: string;
  received: Received[];
  /** The response; 204 by default. */
  answer: (delivery: Received, response: ServerResponse) => void;
  /** Resolves when this many have arrived, whatever the response. */
  count(expected: number): Promise<void>;
  close(): Promise<void>;
}

/** Receives webhook deliveries on the loopback interface, which OUTBOUND_ALLOW must allow. */
export async function startReceiver(): Promise<Receiver> {
  let wake: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const delivery = { headers: request.headers, text, body: JSON.parse(text) as Json };
      receiver.received.push(delivery);
      receiver.answer(delivery, response);
      wake();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (_, response) => response.writeHead(204).end(),
    count: async (expected) => {
      while (receiver.received.length < expected) await new Promise<void>((resolve) => (wake = resolve));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
