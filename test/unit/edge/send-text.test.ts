import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'express';
import { sendText } from '../../../src/platform/http/send-text.js';

let server: Server | undefined;
/** A server that answers each request with `text`. */
async function serve(text: string, before: (response: ServerResponse) => void = () => {}): Promise<string> {
  server = createServer((_, response) => {
    before(response);
    sendText(response as Response, text);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

afterEach(() => void server?.close());

describe('sendText', () => {
  it.each([
    ['a short text', 'room 101'],
    ['a short text beyond ASCII', 'Gästehaus 🏡'],
    ['a long text', 'room 101 '.repeat(100_000)],
    ['a long text beyond ASCII', 'Gästehaus 🏡 '.repeat(50_000)],
  ])('sends %s with its length', async (_, text) => {
    const response = await fetch(await serve(text));
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(await response.text()).toBe(text);
  });

  it.each(['room ', 'Zürich '])('lets others take their turn between the parts of a long text', async (word) => {
    const written: number[] = [];
    const url = await serve(word.repeat(100_000), (response) => {
      let turn = 0;
      const count = () => {
        turn += 1;
        if (!response.writableEnded) setImmediate(count);
      };
      count();
      const write = response.write.bind(response) as (...part: unknown[]) => boolean;
      response.write = (...part: unknown[]) => {
        written.push(turn);
        return write(...part);
      };
    });
    await (await fetch(url)).text();
    expect(new Set(written).size).toBeGreaterThan(3);
  });

  it('writes nothing more for a client that has disconnected', async () => {
    let parts = 0;
    let closed: Promise<unknown> | undefined;
    const url = new URL(
      await serve('x'.repeat(10_000_000), (response) => {
        closed = once(response, 'close');
        const write = response.write.bind(response) as (part: string) => boolean;
        response.write = (part: string) => {
          parts += 1;
          if (parts === 2) response.destroy();
          return write(part);
        };
      }),
    );
    const client = connect(Number(url.port), url.hostname);
    client
      .on('error', () => {})
      .resume()
      .write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(client, 'close');
    await closed;
    expect(parts).toBe(2);
  });
});
