import { request as httpRequest } from 'node:http';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp({ ALLOWED_ORIGINS: 'https://app.example' });
});
afterAll(() => service.close());

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };

/** fetch cannot set Host, so this uses node:http. */
const from = (headers: Record<string, string>, method = 'POST', path = '/mcp') =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const { port } = service.config;
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode as number, headers: response.headers, body }));
    });
    sent.on('error', reject).end(method === 'POST' ? JSON.stringify(ping) : undefined);
  });

const asked = (): Record<string, string> => ({
  authorization: `Bearer ${service.key}`,
  'content-type': 'application/json',
});

describe('without a credential', () => {
  it.each(['POST', 'GET', 'DELETE'])('%s returns 401 and points to the metadata', async (method) => {
    const { status, headers, body } = await service.api
      .as(undefined)
      .send(method, '/mcp', method === 'POST' ? ping : undefined);
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(
      `resource_metadata="${service.config.mcpUrl}/.well-known/oauth-protected-resource"`,
    );
    expect(body.error.type).toBe('authentication_error');
    expect(headers.get('x-request-id')).toBe(body.meta.requestId);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  it('does not read the body: an invalid one is 401 too', async () => {
    expect((await service.api.as(undefined).post('/mcp', '{')).status).toBe(401);
  });
});

describe('methods and media types', () => {
  it.each(['GET', 'DELETE', 'PUT'])('%s is 405 with the envelope', async (method) => {
    const { status, headers, body } = await service.api.send(method, '/mcp');
    expect(status).toBe(405);
    expect(headers.get('allow')).toBe('POST');
    expect(body.error.type).toBe('internal_error');
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  it('is 406 for a client that does not accept JSON', async () => {
    const { status, body } = await service.api.post('/mcp', ping, { accept: 'text/html' });
    expect({ status, type: body.error.type }).toEqual({ status: 406, type: 'internal_error' });
  });

  it('returns 202 without a body to a notification', async () => {
    const { status, text } = await service.api.post('/mcp', { jsonrpc: '2.0', method: 'notifications/initialized' });
    expect({ status, text }).toEqual({ status: 202, text: '' });
  });

  it('echoes the request id', async () => {
    const { headers } = await service.api.post('/mcp', ping, { 'x-request-id': 'mine-1' });
    expect(headers.get('x-request-id')).toBe('mine-1');
  });
});

describe('an invalid message', () => {
  it.each([
    ['text that is not JSON', '{"jsonrpc":', -32700],
    ['an empty body', '', -32700],
    ['NUL', '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\u0000"}}', -32700],
    ['JSON that is not JSON-RPC', '{"hello":1}', -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['a number', '5', -32600],
    ['an empty batch', '[]', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]', -32600],
  ])('%s is 400 as an error of JSON-RPC', async (_, text, code) => {
    const { status, body } = await service.api.post('/mcp', text);
    expect({ status, code: body.error.code, jsonrpc: body.jsonrpc }).toEqual({ status: 400, code, jsonrpc: '2.0' });
  });

  it('is 400 for another media type and for a body that is too large', async () => {
    const other = await service.api.post('/mcp', JSON.stringify(ping), { 'content-type': 'text/plain' });
    expect(other).toMatchObject({ status: 400, body: { error: { code: -32700 } } });
    const large = (bytes: number, api = service.api) =>
      api.post('/mcp', JSON.stringify({ ...ping, params: { x: 'x'.repeat(bytes) } }));
    const message = 'The body can have at most 1048576 bytes.';
    expect(await large(1_100_000)).toMatchObject({
      status: 400,
      body: { id: ping.id, error: { code: -32600, message } },
    });
    expect(await large(8_400_000)).toMatchObject({ status: 400, body: { id: null, error: { code: -32700 } } });
    expect((await large(1_100_000, service.api.as(undefined))).status).toBe(401);
  });
});

describe('Host and Origin', () => {
  it.each(['evil.example', 'localhost.evil.example', 'localhost@evil.example', 'evil.example:80'])(
    'rejects the host "%s" before it checks the credential',
    async (host) => {
      const { status, body } = await from({ host });
      expect(status).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ error: { type: 'authorization_error', code: 'FORBIDDEN' } });
    },
  );

  it('rejects it however the path is written', async () => {
    for (const path of ['/mcp/', '/mcp/other', '/mcp?x=1']) {
      expect((await from({ host: 'evil.example' }, 'POST', path)).status).toBe(403);
    }
  });

  it.each(['localhost', '127.0.0.1:1', '[::1]:3000'])('serves the host "%s"', async (host) => {
    expect((await from({ ...asked(), host })).status).toBe(200);
  });

  it.each(['https://evil.example', 'null', 'http://localhost.evil.example', 'http://localhost@evil.example'])(
    'rejects the origin "%s"',
    async (origin) => {
      const { status, headers } = await from({ ...asked(), origin });
      expect(status).toBe(403);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it.each(['https://app.example', 'http://localhost:5173', 'http://127.0.0.1'])(
    'allows CORS for "%s"',
    async (origin) => {
      const { status, headers } = await from({ ...asked(), origin });
      expect(status).toBe(200);
      expect(headers['access-control-allow-origin']).toBe(origin);
      expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
      expect(headers.vary).toContain('Origin');
    },
  );

  it('answers a preflight, which has no credential', async () => {
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,mcp-name',
    };
    const allowed = await from({ origin: 'https://app.example', ...preflight }, 'OPTIONS');
    expect(allowed.status).toBe(204);
    expect(allowed.headers['access-control-allow-headers']).toBe('authorization,mcp-name');
    expect((await from({ origin: 'https://evil.example', ...preflight }, 'OPTIONS')).status).toBe(403);
    expect((await from({}, 'OPTIONS')).status).toBe(401);
  });
});
