import { SystemDatabase } from '#system-database';
import { RetentionService } from '../../../../src/processes/retention/retention.service.js';
import type { Json } from '../../../support/api.js';
import { clock } from '../../../support/clock.js';
import { performDue } from '../../../support/jobs.js';
import { type Service, startApp } from '../../../support/start-app.js';

let service: Service;
let otherNode: Service;
beforeAll(async () => {
  service = await startApp({ TRUSTED_PROXIES: '1' });
  otherNode = await startApp({ TRUSTED_PROXIES: '1' }, service);
});
afterAll(async () => {
  await otherNode.close();
  await service.close();
});
afterEach(() => clock.restore());

let lastIp = 0;
const newIp = (): string => `198.51.100.${(lastIp += 1)}`;

interface Answer {
  status: number;
  headers: Headers;
  body: Json;
}

async function register(metadata: unknown, ip = newIp(), { url } = service): Promise<Answer> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
}

const redirect = 'https://assistant.example/callback';

describe('registration', () => {
  it('OAU-1 is open to anyone and returns a client_id', async () => {
    const { status, body, headers } = await register({ client_name: 'Concierge', redirect_uris: [redirect] });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      client_id: expect.stringMatching(/^app_us_[0-9A-Za-z]{22}$/),
      client_name: 'Concierge',
      redirect_uris: [redirect],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    expect(body).not.toHaveProperty('client_secret');
    expect(body).not.toHaveProperty('registration_access_token');
    expect(headers.get('cache-control')).toContain('no-store');
  });

  it.each([
    [
      'Claude',
      {
        client_name: 'Claude',
        redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        scope: 'claudeai',
      },
    ],
    [
      'Claude Code',
      {
        client_name: 'Claude Code (property-operations)',
        redirect_uris: ['http://localhost:54212/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ],
    [
      'ChatGPT',
      {
        client_name: 'ChatGPT',
        redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    [
      'VS Code',
      {
        client_name: 'Visual Studio Code',
        client_uri: 'https://code.visualstudio.com',
        grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        response_types: ['code'],
        redirect_uris: [
          'https://insiders.vscode.dev/redirect',
          'https://vscode.dev/redirect',
          'http://localhost/',
          'http://127.0.0.1/',
          'http://localhost:33418/',
          'http://127.0.0.1:33418/',
        ],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ],
    [
      'Inspector',
      {
        redirect_uris: ['http://localhost:6274/oauth/callback/debug'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        client_name: 'MCP Inspector',
        client_uri: 'https://github.com/modelcontextprotocol/inspector',
        scope: 'tasks:read',
      },
    ],
    [
      'mcp-remote',
      {
        redirect_uris: ['http://127.0.0.1:3334/oauth/callback'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        client_name: 'MCP CLI Proxy',
        client_uri: 'https://github.com/modelcontextprotocol/mcp-cli',
        software_id: '2e6dc280-f3c3-4e01-99a7-8181dbd1d23d',
        software_version: '0.1.0',
      },
    ],
    ['a minimal client', { redirect_uris: [redirect] }],
  ])('accepts what %s sends', async (_name, metadata: Record<string, unknown>) => {
    const { status, body } = await register(metadata);
    expect(body).toMatchObject({ client_id: expect.any(String), redirect_uris: metadata.redirect_uris });
    expect(status).toBe(201);
    expect(body.token_endpoint_auth_method).toBe(metadata.token_endpoint_auth_method ?? 'none');
    expect('client_secret' in body).toBe(metadata.token_endpoint_auth_method === 'client_secret_post');
    expect(body).not.toHaveProperty('scope');
  });

  it("ignores Cursor's own scheme beside others, and rejects it if it is the only one", async () => {
    const cursor = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const both = await register({ client_name: 'Cursor', redirect_uris: [cursor, 'http://localhost:8787/callback'] });
    expect(both.body.redirect_uris).toEqual(['http://localhost:8787/callback']);
    expect(await register({ client_name: 'Cursor', redirect_uris: [cursor] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri' },
    });
  });

  it('OAU-9 accepts at most ten redirect URIs', async () => {
    const uris = (count: number) => Array.from({ length: count }, (_, i) => `https://assistant.example/${i}`);
    expect((await register({ redirect_uris: uris(10) })).status).toBe(201);
    for (const redirect_uris of [uris(11), []]) {
      expect(await register({ redirect_uris })).toMatchObject({ status: 400, body: { error: 'invalid_redirect_uri' } });
    }
  });

  it.each([
    'http://localhost/cb',
    'http://localhost:8080/cb',
    'http://127.0.0.1/cb',
    'http://127.0.0.1:1/cb?x=1',
    'http://[::1]/cb',
    'http://[::1]:3000/cb',
    'https://assistant.example',
    'https://assistant.example:8443/cb?keep=1',
  ])('OAU-10 accepts %s', async (uri) => {
    expect((await register({ redirect_uris: [uri] })).body.redirect_uris).toEqual([uri]);
  });

  it.each([
    'http://assistant.example/cb',
    'http://127.0.0.2/cb',
    'http://127.1/cb',
    'http://2130706433/cb',
    'http://0.0.0.0/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://localhost.evil.example/cb',
    'http://localhost@evil.example/cb',
    'https://user@assistant.example/cb',
    'https://*.example/cb',
    'https://assistant.example/*',
    'https://assistant.example/cb#f',
    'https://assistant.example\\@evil.example',
    'https:assistant.example/cb',
    'https:///cb',
    'custom://callback',
    'javascript:alert(1)',
    'data:text/html,x',
    '/relative',
    '',
    ' https://a.example',
    'https://a.example/ b',
    `https://assistant.example/${'a'.repeat(2_048)}`,
  ])('OAU-10 rejects %s', async (uri) => {
    const { status, body } = await register({ redirect_uris: [uri] });
    expect({ status, error: body.error }).toEqual({ status: 400, error: 'invalid_redirect_uri' });
    expect(body.meta.requestId).toEqual(expect.any(String));
  });

  it('rejects an invalid registration with the errors of the RFC', async () => {
    for (const [metadata, error] of [
      ['{', 'invalid_request'],
      [[], 'invalid_request'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [7] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [redirect], grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [redirect], response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [redirect], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [{ redirect_uris: [redirect], client_name: { a: 1 } }, 'invalid_client_metadata'],
    ] as const) {
      expect(await register(metadata)).toMatchObject({ status: 400, body: { error } });
    }
  });

  it('removes characters that would hide or reorder the name', async () => {
    const { body } = await register({ client_name: 'Cl\u202eaude\u0000\u200b  Ⓐ', redirect_uris: [redirect] });
    expect(body.client_name).toBe('Claude A');
    const long = await register({ client_name: 'x'.repeat(200), redirect_uris: [redirect] });
    expect(long.body.client_name).toHaveLength(80);
  });

  it('cannot mark itself verified', async () => {
    const { body } = await register({ client_name: 'Sly', redirect_uris: [redirect], verified: true });
    expect(body).not.toHaveProperty('verified');
  });

  it('is open to web clients of any origin', async () => {
    const headers = {
      origin: 'https://web.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const preflight = await fetch(`${service.url}/oauth/register`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    const { headers: answered } = await register({ redirect_uris: [redirect] });
    expect(answered.get('access-control-allow-origin')).toBe('*');
  });

  it('has no management endpoint', async () => {
    const { body } = await register({ redirect_uris: [redirect] });
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const response = await fetch(`${service.url}/oauth/register/${body.client_id}`, { method });
      expect(response.status).toBe(404);
    }
  });
});

describe('OAU-2 the registration limit', () => {
  it('allows five an hour for an address, and does not count rejected attempts', async () => {
    clock.set('2026-11-21T10:00:00Z');
    const ip = newIp();
    for (let i = 0; i < 5; i += 1) {
      expect((await register({ redirect_uris: ['http://evil.example'] }, ip)).status).toBe(400);
      expect((await register({ redirect_uris: [redirect] }, ip)).status).toBe(201);
    }
    const refused = await register({ redirect_uris: [redirect] }, ip);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(refused.body).toMatchObject({ error: { type: 'rate_limit_error', code: 'RATE_LIMITED' }, meta: {} });
    expect((await register({ redirect_uris: [redirect] }, newIp())).status).toBe(201);
    clock.advance(3_599_000);
    expect((await register({ redirect_uris: [redirect] }, ip)).status).toBe(429);
    clock.advance(1_000);
    expect((await register({ redirect_uris: [redirect] }, ip)).status).toBe(201);
  });

  it('applies to parallel requests', async () => {
    const ip = newIp();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register({ redirect_uris: [redirect] }, ip)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
  });

  it('is shared by all nodes', async () => {
    const ip = newIp();
    const nodes = [service, otherNode, service, otherNode, service, otherNode, service, otherNode];
    const answers = await Promise.all(nodes.map((node) => register({ redirect_uris: [redirect] }, ip, node)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3);
  });

  it('ends with its window', async () => {
    const counted = async (): Promise<number> =>
      (await service.app.get(SystemDatabase).rows('select 1 from sliding_windows')).length;
    await register({ redirect_uris: [redirect] });
    await performDue(service.app.get(RetentionService));
    expect(await counted()).toBeGreaterThan(0);
    clock.set(Date.now() + 86_400_000);
    await performDue(service.app.get(RetentionService));
    expect(await counted()).toBe(0);
  });

  it('counts an IPv6 network as one address', async () => {
    const answers = [];
    for (let i = 1; i <= 6; i += 1) answers.push(await register({ redirect_uris: [redirect] }, `2001:db8:1:2::${i}`));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
    expect((await register({ redirect_uris: [redirect] }, '2001:db8:1:3::1')).status).toBe(201);
  });

  it('allows sixty attempts an hour, whatever their result', async () => {
    const ip = newIp();
    const answers = await Promise.all(Array.from({ length: 61 }, () => register({ redirect_uris: [] }, ip)));
    // At most five wait for their result at the same time, so some are rejected already; none of them is let through.
    expect(answers.some(({ status }) => status === 201)).toBe(false);
    expect((await register({ redirect_uris: [redirect] }, ip)).status).toBe(429);
  });
});
