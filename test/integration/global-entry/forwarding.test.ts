import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { newApiKey, newOAuthToken } from '#regions';
import { answerWithinMs, takeWithinMs } from '../../../src/processes/global-entry/cell.js';
import type { Json } from '../../support/api.js';
import { actionOf, expectEnvelope, refusals } from '../../support/envelope.js';
import { oneConnection } from '../../support/one-connection.js';
import { sendRaw } from '../../support/raw.js';
import { startEntry } from '../../support/regions.js';
import { EntryWorld, keys, nameOf } from './entry-world.js';

let world: EntryWorld;
beforeAll(async () => {
  world = await EntryWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const ask = (credential: string | undefined, init: RequestInit = {}): Promise<Response> =>
  fetch(`${world.entry.url}/mcp?toolsets=tasks`, {
    method: 'POST',
    body: '{}',
    ...init,
    headers: { ...(credential && { authorization: `Bearer ${credential}` }), ...(init.headers as object) },
  });
const regionOf = async (reply: Promise<Response>): Promise<unknown> => ((await (await reply).json()) as Json).region;

/** A request with Node's own client, so that it can be sent piece by piece and every header is visible. */
function open(given: [string, string][]) {
  const headers = [['Host', 'localhost'], ...given].flat();
  const { hostname, port } = new URL(world.entry.url);
  const sent = httpRequest({
    hostname,
    port,
    path: '/mcp',
    method: 'POST',
    headers: ['Host', 'localhost', ...headers],
  });
  return { sent, answer: once(sent, 'response').then(([response]) => response as IncomingMessage) };
}

describe('the region', () => {
  it.each([
    ['an API key', keys.us, 'us'],
    ['an API key', keys.eu, 'eu'],
    ['a key of the test environment, which the cell rejects', newApiKey('test', 'eu'), 'eu'],
    ['an access token', newOAuthToken('at', 'eu'), 'eu'],
  ])('is read from %s', async (_kind, credential, region) => {
    expect(await regionOf(ask(credential))).toBe(region);
    expect(world.cells[region as 'us'].received.map(({ url }) => url)).toEqual(['/mcp?toolsets=tasks']);
  });

  it.each([
    ['no credential', undefined, /^Send a credential/],
    ['a key that the operator chose', 'sk_live_an_operators_own_key_0123', /does not contain a region/],
    ['an invalid credential', 'hunter2', /does not contain a region/],
    ['a token of another service', 'at_mars_0123456789012345678901234567890123456789012', /does not contain a region/],
  ])('cannot be read from %s: 401 with a link to credentials', async (_kind, credential, message) => {
    const reply = await ask(credential);
    expect(reply.status).toBe(401);
    const { error } = (await reply.json()) as { error: { type: string; message: string } };
    expect(error.type).toBe('authentication_error');
    expect(error.message).toMatch(message);
    expect(reply.headers.get('www-authenticate')).toContain(
      `resource_metadata="${world.entry.url}/.well-known/oauth-protected-resource"`,
    );
    expect(world.cells.us.received).toEqual([]);
  });

  it('that is down is 503 with Retry-After, without affecting others', async () => {
    const reply = await ask(keys.apac, { headers: { 'x-request-id': 'out-1' } });
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await reply.json()).toMatchObject({
      error: { type: 'service_unavailable', message: expect.stringContaining('Region apac') },
      meta: { requestId: 'out-1' },
    });
    expect(await Promise.all([regionOf(ask(keys.us)), regionOf(ask(keys.eu))])).toEqual(['us', 'eu']);
  });

  it('that is down is 503 for applications in browsers too', async () => {
    const body = new URLSearchParams({ code: newOAuthToken('ac', 'apac') });
    const headers = { origin: 'https://desk.example' };
    const reply = await fetch(`${world.entry.url}/oauth/token`, { method: 'POST', body, headers });
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([503, '*']);
  });
});

describe('an unreadable request', () => {
  const lines = (...given: string[]) => sendRaw(world.entry.url, [...given, '', ''].join('\r\n'));

  it.each([
    ['text that is not HTTP', 'parse', ['nonsense']],
    [
      'a request with headers that are too large',
      'parse',
      ['GET /mcp HTTP/1.1', 'Host: localhost', `X-A: ${'a'.repeat(20_000)}`],
    ],
    ['a request without Host', 'DELETE', ['DELETE /mcp HTTP/1.1', 'Connection: close']],
    [
      'a form that is too large',
      'POST',
      ['POST /oauth/token HTTP/1.1', 'Host: localhost', 'Content-Length: 65537', 'Connection: close'],
    ],
  ])('%s is 400 and names http and %s', async (_, method, request) => {
    const { status, headers, body } = await lines(...request);
    const reply = { status, headers: new Headers([...headers]), body: JSON.parse(body) as Json };
    expectEnvelope(reply, refusals.invalid);
    expect(actionOf(reply)).toEqual({ service: 'http', method });
    expect(world.cells.us.received).toEqual([]);
  });
});

describe('a request', () => {
  it('arrives at its cell as it was sent, except for hop-by-hop headers', async () => {
    const { sent, answer } = open([
      ['Authorization', `Bearer ${keys.eu}`],
      ['Idempotency-Key', 'a'],
      ['idempotency-key', 'b'],
      ['X-Request-Id', 'mine'],
      ['Connection', 'keep-alive, X-Hop'],
      ['X-Hop', '1'],
      ['X-Forwarded-For', '203.0.113.9'],
      ['X-Forwarded-Host', 'evil.example'],
      ['Forwarded', 'for=x'],
      ['Content-Length', '2'],
    ]);
    sent.end('{}');
    await answer;
    const [{ headers, headersDistinct }] = world.cells.eu.received as [IncomingMessage];
    expect(headersDistinct['idempotency-key']).toEqual(['a', 'b']);
    expect(headers).toMatchObject({
      authorization: `Bearer ${keys.eu}`,
      'x-request-id': 'mine',
      'content-length': '2',
      host: new URL(world.cells.eu.url).host,
      'x-forwarded-for': expect.stringMatching(/^(::ffff:)?127\.0\.0\.1$/),
    });
    for (const name of ['x-hop', 'forwarded', 'x-forwarded-host']) expect(headers[name]).toBeUndefined();
  });

  it('gets an id if it has none, which the cell shares', async () => {
    const reply = await ask(keys.us);
    expect(world.cells.us.received[0]?.headers['x-request-id']).toBe(reply.headers.get('x-request-id'));
  });

  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n';
  it.each([
    ['Content-Length', String(smuggled.length), smuggled],
    ['Transfer-Encoding', 'chunked', `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`],
  ])('is one request to its cell, even if its client names %s in Connection', async (framing, value, body) => {
    const dropped = `close, ${framing}, host, x-request-id, x-forwarded-for`;
    const head = [
      'GET /mcp HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${keys.us}`,
      `Connection: ${dropped}`,
      'X-Request-Id: mine',
      `${framing}: ${value}`,
    ];
    expect((await sendRaw(world.entry.url, [...head, '', body].join('\r\n'))).status).toBe(200);
    expect((await ask(keys.us)).status).toBe(200);
    expect(world.cells.us.received.map(({ url }) => url)).toEqual(['/mcp', '/mcp?toolsets=tasks']);
    expect(world.cells.us.received[0]?.headers).toMatchObject({
      [framing.toLowerCase()]: value,
      host: new URL(world.cells.us.url).host,
      'x-request-id': 'mine',
      'x-forwarded-for': expect.stringContaining('127.0.0.1') as string,
    });
  });

  it('streams: its first part arrives before its last is sent, as does the response’s', async () => {
    world.answers.eu = (request, response) => void request.pipe(response);
    const { sent, answer } = open([
      ['Authorization', `Bearer ${keys.eu}`],
      ['Transfer-Encoding', 'chunked'],
    ]);
    sent.write('first');
    const response = await answer;
    expect(String((await once(response, 'data'))[0])).toBe('first');
    sent.end('last');
    expect(String((await once(response, 'data'))[0])).toBe('last');
  });

  it('is cancelled at its cell when its client disconnects', async () => {
    const cancelled = new Promise<void>((resolve) => {
      world.answers.eu = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        response.once('close', resolve);
      };
    });
    const leaving = new AbortController();
    await ask(keys.eu, { signal: leaving.signal });
    leaving.abort();
    await cancelled;
  });

  it('that is answered before all of it was sent ends at its cell', async () => {
    const over = new Promise<void>((resolve) => {
      world.answers.eu = (request, response) => {
        request.socket.once('close', resolve);
        response.end('no');
      };
    });
    const { sent, answer } = open([
      ['Authorization', `Bearer ${keys.eu}`],
      ['Transfer-Encoding', 'chunked'],
    ]);
    sent.write('first');
    await answer;
    await over;
    sent.end();
  });

  it('of a page on another site is rejected before its cell receives it', async () => {
    const reply = await ask(keys.us, { headers: { origin: 'https://evil.example' } });
    expect([reply.status, world.cells.us.received.length]).toEqual([403, 0]);
  });
});

describe('a response', () => {
  it('is passed on as the cell sent it', async () => {
    world.answers.us = (_request, response) =>
      void response
        .writeHead(429, ['Retry-After', '7', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Request-Id', 'replayed'])
        .end('enough');
    const { status, headers, body } = await ask(keys.us).then(async (reply) => ({
      status: reply.status,
      headers: reply.headers,
      body: await reply.text(),
    }));
    expect({ status, body, cookies: headers.getSetCookie() }).toEqual({
      status: 429,
      body: 'enough',
      cookies: ['a=1', 'b=2'],
    });
    expect([headers.get('retry-after'), headers.get('x-request-id')]).toEqual(['7', 'replayed']);
  });

  it('is not chunked for a client of HTTP/1.0, which cannot read chunks', async () => {
    world.answers.us = (_request, response) => {
      response.write('in ');
      response.end('pieces');
    };
    const asked = `POST /mcp HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${keys.us}\r\n\r\n`;
    const { headers, body } = await sendRaw(world.entry.url, asked);
    expect([headers.get('transfer-encoding'), body]).toEqual([undefined, 'in pieces']);
  });

  it('that breaks off breaks off for the client', async () => {
    world.answers.us = (_request, response) => {
      response.writeHead(200, { 'content-length': '10' }).write('half', () => response.destroy());
    };
    await expect(ask(keys.us).then((reply) => reply.text())).rejects.toThrow('terminated');
  });

  it('is 503 if it is missing and the connection ends', async () => {
    world.answers.us = (request) => request.socket.destroy();
    expect((await ask(keys.us)).status).toBe(503);
  });

  it('is 503 if it is missing and the connection ends before the body, and the client’s connection continues', async () => {
    world.answers.us = (request) => request.socket.destroy();
    const { send, close } = oneConnection(world.entry.url, keys.us);
    try {
      expect((await send('x'.repeat(3_000_000))).status).toBe(503);
      world.answers.us = nameOf('us');
      expect((await send('{}')).status).toBe(200);
    } finally {
      close();
    }
  });

  it('of an unresponsive cell is 503 after a minute', async () => {
    world.answers.us = () => undefined;
    const inTime = setTimeout;
    jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms?: number) =>
        inTime(run, ms === answerWithinMs ? 0 : ms)) as typeof setTimeout);
    try {
      const reply = await ask(keys.us);
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5']);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('of a cell that does not read the body is 503 after ten seconds', async () => {
    const stopped = createServer({ pauseOnConnect: true }).listen(0);
    await once(stopped, 'listening');
    const before = await startEntry({ REGION_URLS: `us=http://localhost:${(stopped.address() as AddressInfo).port}` });
    const inTime = Object.getOwnPropertyDescriptor(Socket.prototype, 'setTimeout')?.value as Socket['setTimeout'];
    jest.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, ms, callback) {
      return inTime.call(this, ms === takeWithinMs ? 50 : ms, callback);
    });
    const { send, close } = oneConnection(before.url, keys.us);
    try {
      // More than the kernel buffers for a connection.
      expect((await send('x'.repeat(50_000_000))).status).toBe(503);
    } finally {
      close();
      jest.restoreAllMocks();
      await before.close();
      stopped.close();
    }
  });
});
