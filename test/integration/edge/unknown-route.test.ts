import { ask } from '../../support/ask.js';
import { keyWith } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

interface Layer {
  route?: { path: string };
}

/** What Chromium sends when a person enters a URL. */
const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8' };
const get = (path: string, headers: Record<string, string> = {}) => ask(service.url + path, { method: 'GET', headers });
const envelope = 'application/json; charset=utf-8';

describe('the unknown route', () => {
  it('is the last of all routes, so that it does not shadow another', () => {
    const express = service.app.getHttpAdapter().getInstance() as { router: { stack: Layer[] } };
    const paths = express.router.stack.flatMap(({ route }) => (route ? [route.path] : []));
    expect(paths.length).toBeGreaterThan(40);
    expect(paths.at(-1)).toBe('/*path');
  });

  it.each(['/nowhere', '/account/nowhere', '/g/nowhere', '/approvals'])('%s is a page in a browser', async (path) => {
    const { status, headers, text } = await get(path, browser);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(text).toContain('<h1>Not found</h1>');
    expect(text).toContain(headers.get('x-request-id'));
  });

  it.each([
    ['a client that accepts anything', '/nowhere', { accept: '*/*' }, 404],
    ['a client that accepts JSON', '/nowhere', { accept: 'application/json' }, 404],
    ['a client without an Accept header', '/nowhere', {}, 404],
    ['the API', '/api/v1/nowhere', browser, 401],
    ['the MCP address', '/mcp', browser, 401],
    ['a discovery document', '/.well-known/nowhere', browser, 404],
  ])('is the envelope for %s', async (_, path, headers, status) => {
    const answer = await get(path, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe(envelope);
    expect(JSON.parse(answer.text).meta.requestId).toBe(answer.headers.get('x-request-id'));
  });
});

describe('the start page', () => {
  it('explains the service and the first steps, to a browser', async () => {
    const { status, headers, text } = await get('/', browser);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(text).toContain(`${service.url}/mcp`);
    expect(text).toContain('Region: United States (us).');
    expect(text).toContain('href="/account"');
  });

  it('is an unknown address for programs', async () => {
    const { api } = await keyWith(service.api);
    const credential = { ...browser, authorization: `Bearer ${api.key}` };
    const programs: Record<string, string>[] = [{}, { accept: '*/*' }, credential];
    for (const headers of programs) {
      const answer = await get('/', headers);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, envelope]);
    }
    expect((await get('/', credential)).headers.get('x-ratelimit-limit')).not.toBeNull();
    expect((await get('/', { ...browser, authorization: 'Bearer nonsense' })).status).toBe(401);
  });
});
