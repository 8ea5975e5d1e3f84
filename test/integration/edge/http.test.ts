import { connect, type Socket } from 'node:net';
import type { Api } from '../../support/api.js';
import { actionOf, expectEnvelope, refusals } from '../../support/envelope.js';
import { absentId, keyWith, taskOf } from '../../support/factories.js';
import { type RawReply, sendRaw } from '../../support/raw.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const asReply = ({ status, headers, body }: RawReply) => ({
  status,
  headers: new Headers([...headers]),
  body: JSON.parse(body),
});
const raw = async (...lines: string[]) => asReply(await sendRaw(service.url, [...lines, '', ''].join('\r\n')));

it('a client that reads nothing of its response loses its connection', async () => {
  const server = service.app.getHttpServer();
  expect(server.timeout).toBe(120_000);
  server.timeout = 200;
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).pause();
  const closed = new Promise<void>((resolve) => server.once('connection', (one: Socket) => one.once('close', resolve)));
  // More than the operating system keeps for a connection.
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
  socket.on('error', () => undefined).write(request.repeat(50));
  await closed;
  server.timeout = 120_000;
});

describe('an invalid HTTP request', () => {
  it.each([
    ['a missing request line', ['nonsense']],
    ['an unknown method', ['FETCH /api/v1/tasks HTTP/1.1', 'Host: localhost']],
    ['an unknown version', ['GET /api/v1/tasks HTTP/9.9', 'Host: localhost']],
    ['a space in the address', ['GET /api/v1/ta sks HTTP/1.1', 'Host: localhost']],
    ['a header without a name', ['GET /api/v1/tasks HTTP/1.1', 'Host: localhost', ': x']],
    ['NUL in a header', ['GET /api/v1/tasks HTTP/1.1', 'Host: localhost', 'X-A: \0']],
    ['two lengths', ['POST /api/v1/tasks HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Content-Length: 2']],
    ['an invalid length', ['POST /api/v1/tasks HTTP/1.1', 'Host: localhost', 'Content-Length: x']],
    [
      'both a length and chunks',
      ['POST /api/v1/tasks HTTP/1.1', 'Host: localhost', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
    ],
    ['headers that are too large', ['GET /api/v1/tasks HTTP/1.1', 'Host: localhost', `X-A: ${'a'.repeat(20_000)}`]],
    ['an address that is too long', [`GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1`, 'Host: localhost']],
    ['a missing Host', ['GET /api/v1/tasks HTTP/1.1', 'Connection: close']],
  ])('%s gets the error envelope', async (name, lines) => {
    const reply = await raw(...lines);
    expectEnvelope(reply, refusals.invalid);
    expect(actionOf(reply)).toEqual({ service: 'http', method: name === 'a missing Host' ? 'GET' : 'parse' });
    expect(reply.body.meta.requestId).toMatch(uuid);
    expect(reply.headers.get('connection')).toBe('close');
    expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('an invalid chunk gets one response', async () => {
    const head = [
      'POST /api/v1/tasks HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ];
    const reply = await sendRaw(service.url, [...head, '', 'zz', '{}', ''].join('\r\n'));
    expect(reply.text.match(/^HTTP\/1\.1 \d/gm)).toHaveLength(1);
    expectEnvelope(asReply(reply), refusals.invalid);
  });

  it('an expectation that cannot be met is ignored', async () => {
    const reply = await raw(
      'GET /api/v1/tasks HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Expect: a miracle',
      'Connection: close',
    );
    expect([reply.status, reply.headers.get('x-request-id')]).toEqual([200, reply.body.meta.requestId]);
  });

  it('leaves the service responsive', async () => {
    expect((await api.get('/me')).status).toBe(200);
  });
});

describe('a request without an operation', () => {
  it.each([
    ['GET', '/api/v1/tasks/%ZZ', undefined],
    ['PUT', '/api/v1/%ZZ', undefined],
    ['PATCH', '/%ZZ', undefined],
    ['GET', '/mcp/%ZZ', undefined],
    ['POST', '/mcp?readonly=perhaps', '{}'],
    ['POST', '/mcp?toolsets=tasks&toolsets=me', '{}'],
    ['POST', '/mcp?toolsets=%ZZ', '{}'],
  ])('%s %s is 400 and names the method', async (method, path, body = '') => {
    const reply = await raw(
      `${method} ${path} HTTP/1.1`,
      'Host: localhost',
      `Authorization: Bearer ${api.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      'Connection: close',
      '',
      body,
    );
    expectEnvelope(reply, refusals.invalid);
    expect(actionOf(reply)).toEqual({ service: 'http', method });
  });

  it('is distinguished from one to an operation', async () => {
    const tooLong = Buffer.alloc(1_048_577, ' ').toString();
    expect(actionOf(await api.post('/tasks', tooLong))).toEqual({ service: 'tasks', method: 'createTask' });
    const untyped = await api.send('POST', '/tasks', '{"name":"x"}', { 'content-type': 'text/plain' });
    expect(actionOf(untyped)).toEqual({ service: 'tasks', method: 'createTask' });
  });
});

describe('X-Request-Id', () => {
  it.each(['a', 'order 66 / ~!"', 'x'.repeat(200)])('%s is echoed', async (id) => {
    const { headers, body } = await api.get('/me', { 'x-request-id': id });
    expect([headers.get('x-request-id'), body.meta.requestId]).toEqual([id, id]);
  });

  it.each(['x'.repeat(201), 'naïve', 'a\tb'])('%s is replaced', async (id) => {
    const { headers, body } = await api.get('/me', { 'x-request-id': id });
    expect(headers.get('x-request-id')).toMatch(uuid);
    expect(body.meta.requestId).toBe(headers.get('x-request-id'));
  });

  it('is a new UUID for each request that has none', async () => {
    const [one, two] = await Promise.all([api.get('/me'), api.get('/me')]);
    expect(one.body.meta.requestId).toMatch(uuid);
    expect(two.body.meta.requestId).not.toBe(one.body.meta.requestId);
  });

  it('is echoed on errors too', async () => {
    const reply = await api.as(undefined).get('/me', { 'x-request-id': 'mine' });
    expect([reply.headers.get('x-request-id'), reply.body.meta.requestId]).toEqual(['mine', 'mine']);
  });
});

describe('an unknown address', () => {
  it.each([
    '/',
    '/favicon.ico',
    '/api',
    '/api/v2/tasks',
    '/API/V1/tasks',
    '/api/v1x',
    '/MCP',
    '/mcpx',
    '/.env',
    '/%ZZ',
  ])('%s is 404 without a credential', async (path) => {
    const reply = await raw(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close');
    expectEnvelope(reply, refusals.absent);
    expect(reply.headers.has('x-ratelimit-limit')).toBe(false);
  });

  it.each(['/api/v1', '/api/v1/', '/api/v1/nowhere', '/mcp/nowhere'])('%s is 401 without one', async (path) => {
    const reply = await raw(`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close');
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="http/);
  });

  it.each([
    '/',
    '/api/v2/tasks',
    '/API/V1/tasks',
    '/api/v1/Tasks',
    '/api/v1',
    '/api/v1/nowhere',
    '/MCP',
    '/mcp/nowhere',
  ])('%s authenticates, counts and is 404 with one', async (path) => {
    const send = (key: string) =>
      raw(`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, 'Connection: close');
    const reply = await send(service.key);
    expectEnvelope(reply, refusals.absent);
    expect(reply.headers.get('x-ratelimit-limit')).toBe('1000');
    expectEnvelope(await send('sk_live_nobody_knows_this_key_0123456789'), refusals.unauthorized);
  });

  it.each([
    ['PUT', '/tasks'],
    ['DELETE', '/tasks'],
    ['PATCH', '/tasks'],
    ['OPTIONS', '/tasks'],
    ['PUT', `/tasks/${absentId('task')}`],
    ['GET', `/tasks/${absentId('task')}/complete`],
    ['POST', '/me'],
  ])('%s %s is 404', async (method, path) => {
    expectEnvelope(await api.send(method, path), refusals.absent);
  });
});

describe('every authenticated response', () => {
  it.each([
    ['200', 'GET', '/me', undefined],
    ['201', 'POST', '/tasks', { name: 'x' }],
    ['400', 'POST', '/tasks', {}],
    ['404', 'GET', '/nowhere', undefined],
  ])('%s has the rate headers, an id, and is JSON', async (status, method, path, body) => {
    const { headers, ...reply } = await api.send(method, path, body);
    expect(reply.status).toBe(Number(status));
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toBe(reply.body.meta.requestId);
    expect(headers.get('x-ratelimit-limit')).toBe('60000');
    expect(headers.get('x-ratelimit-remaining')).toMatch(/^\d+$/);
    const untilReset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000;
    expect(untilReset).toBeGreaterThan(-1);
    expect(untilReset).toBeLessThanOrEqual(60);
    expect(headers.has('x-powered-by')).toBe(false);
  });

  it('carries the version as its ETag if it is one record', async () => {
    const id = await taskOf(api);
    expect((await api.get(`/tasks/${id}`)).headers.get('etag')).toBe('"1"');
    expect((await api.patch(`/tasks/${id}`, { name: 'y' })).headers.get('etag')).toBe('"2"');
    expect((await api.get('/tasks')).headers.has('etag')).toBe(false);
  });
});

describe('a repeated header', () => {
  const twice = (name: string, one: string, two: string) =>
    raw(
      'POST /api/v1/tasks HTTP/1.1',
      'Host: localhost',
      ...(name === 'Authorization' ? [] : [`Authorization: Bearer ${api.key}`]),
      ...(name === 'Content-Type' ? [] : ['Content-Type: application/json']),
      `${name}: ${one}`,
      `${name}: ${two}`,
      'Content-Length: 12',
      'Connection: close',
      '',
      '{"name":"x"}',
    );

  it('Idempotency-Key is 400', async () => {
    expectEnvelope(await twice('Idempotency-Key', 'a', 'b'), refusals.invalid);
    expectEnvelope(await twice('Idempotency-Key', 'a', 'a'), refusals.invalid);
  });

  it('If-Match with two versions is 400', async () => {
    expectEnvelope(await twice('If-Match', '"1"', '"2"'), refusals.invalid);
  });

  it('Authorization is never read from the second', async () => {
    expectEnvelope(await twice('Authorization', 'Bearer nonsense', `Bearer ${api.key}`), refusals.unauthorized);
  });
});

describe('the address of a task', () => {
  const at = async (method: string, path: string, ...headers: string[]) =>
    await sendRaw(
      service.url,
      [
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        `Authorization: Bearer ${api.key}`,
        ...headers,
        'Connection: close',
        '',
        '',
      ].join('\r\n'),
    );

  it('may end with a slash, and be absolute', async () => {
    const id = await taskOf(api);
    for (const path of [`/api/v1/tasks/${id}/`, `http://elsewhere.example/api/v1/tasks/${id}?`]) {
      const { status, body } = await at('GET', path);
      expect([status, JSON.parse(body).data.id]).toEqual([200, id]);
    }
  });

  it('supports HEAD without the body', async () => {
    const id = await taskOf(api);
    const whole = await at('GET', `/api/v1/tasks/${id}`);
    const { status, body, headers } = await at('HEAD', `/api/v1/tasks/${id}`);
    expect([status, body, headers.get('content-length')]).toEqual([200, '', whole.headers.get('content-length')]);
  });

  it('returns 304 when the client has its version already', async () => {
    const id = await taskOf(api);
    const known = await at('GET', `/api/v1/tasks/${id}`, 'If-None-Match: "1"');
    expect([known.status, known.body, known.headers.get('etag')]).toEqual([304, '', '"1"']);
    expect((await at('GET', `/api/v1/tasks/${id}`, 'If-None-Match: "0"')).status).toBe(200);
  });

  it('accepts no other spelling', async () => {
    expect((await at('GET', '/api/v1/Tasks')).status).toBe(404);
    expect((await at('GET', '/api/v1/tasks//')).status).toBe(404);
    expect((await at('OPTIONS', '/api/v1/tasks')).status).toBe(404);
  });
});
