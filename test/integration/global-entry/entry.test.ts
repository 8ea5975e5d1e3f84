import { newOAuthToken } from '#regions';
import { until } from '../../support/feed.js';
import { startEntry } from '../../support/regions.js';
import { freePort } from '../../support/start-app.js';
import { EntryWorld, keys } from './entry-world.js';

let world: EntryWorld;
beforeAll(async () => {
  world = await EntryWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

describe('the authorization server', () => {
  const post = (path: string, body: URLSearchParams | string): Promise<Response> =>
    fetch(world.entry.url + path, { method: 'POST', body });

  it.each([
    ['/oauth/token', 'code', newOAuthToken('ac', 'eu')],
    ['/oauth/token', 'refresh_token', newOAuthToken('rt', 'eu')],
    ['/oauth/revoke', 'token', newOAuthToken('at', 'eu')],
  ])('forwards %s by its %s, with what was sent', async (path, field, token) => {
    world.answers.eu = (request, response) => void request.pipe(response);
    const sent = new URLSearchParams({ client_id: 'app', [field]: token });
    expect(await (await post(path, sent)).text()).toBe(String(sent));
    expect(world.cells.eu.received.map(({ url }) => url)).toEqual([path]);
  });

  it('forwards requests without a region to the first cell that is up', async () => {
    const registered = { client_name: 'Assistant' };
    world.answers.us = (request, response) => void request.pipe(response.writeHead(201));
    expect(await (await post('/oauth/register', JSON.stringify(registered))).json()).toEqual(registered);
    const nearestIsOut = await startEntry({ REGION_URLS: `apac=http://localhost:1,eu=${world.cells.eu.url}` });
    try {
      const reply = await fetch(`${nearestIsOut.url}/oauth/token`, { method: 'POST', body: 'code=unknown' });
      expect(await reply.json()).toEqual({ region: 'eu' });
    } finally {
      await nearestIsOut.close();
    }
  });

  it('is described only by the entry', async () => {
    const document = async (path: string) => (await fetch(`${world.entry.url}/.well-known/${path}`)).json();
    expect(await document('oauth-authorization-server')).toMatchObject({
      issuer: world.entry.url,
      authorization_endpoint: `${world.entry.url}/oauth/authorize`,
      token_endpoint: `${world.entry.url}/oauth/token`,
      registration_endpoint: `${world.entry.url}/oauth/register`,
    });
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
      expect(await document(path)).toMatchObject({
        resource: `${world.entry.url}/mcp`,
        authorization_servers: [world.entry.url],
      });
    }
    expect(world.cells.us.received).toEqual([]);
  });

  it('lets the person select the region, unless it is known', async () => {
    const query = 'client_id=app_us_x&state=a+b&scope=tasks%3Aread';
    const authorize = (more = '', at = world.entry): Promise<Response> =>
      fetch(`${at.url}/oauth/authorize?${query}${more}`, { redirect: 'manual' });
    const page = await (await authorize()).text();
    const links = [...page.matchAll(/href="(http[^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const at = (url: string): string => `${url}/global/oauth/authorize?${query}`;
    expect(links).toEqual([at(world.cells.us.url), at(world.cells.eu.url), at('http://localhost:1')]);
    expect((await authorize('&region=eu')).headers.get('location')).toBe(at(world.cells.eu.url));
    expect((await authorize('&region=mars')).status).toBe(200);
    const alone = await startEntry({ REGION_URLS: `eu=${world.cells.eu.url}` });
    expect((await authorize('', alone)).headers.get('location')).toBe(at(world.cells.eu.url));
    await alone.close();
  });
});

it('serves nothing else', async () => {
  const statuses = ['/healthz', '/api/v1/tasks', '/docs', '/.well-known/openid-configuration'].map(
    async (path) => (await fetch(world.entry.url + path)).status,
  );
  expect(await Promise.all(statuses)).toEqual([200, 404, 404, 404]);
});

it('exports metrics of requests, and of regions that are down', async () => {
  const port = await freePort();
  const lone = await startEntry({ REGION_URLS: 'apac=http://localhost:1', METRICS_PORT: String(port) });
  try {
    await fetch(`${lone.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${keys.apac}` } });
    const text = await until(
      async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      (read) => read.includes('requests_total{'),
    );
    expect(text).toContain('property_operations_cell_outages_total{region="apac"} 1');
    expect(text).toContain('property_operations_requests_total{operation="none",door="mcp",status="503"} 1');
    expect(text).toContain('process_cpu_seconds_total');
  } finally {
    await lone.close();
  }
});

it('is a page in a browser, with the regions to choose from, and an unknown address for programs', async () => {
  const inBrowser = await fetch(world.entry.url, { headers: { accept: 'text/html' } });
  expect([inBrowser.status, inBrowser.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const page = await inBrowser.text();
  for (const { url } of Object.values(world.cells)) expect(page).toContain(`href="${url}"`);
  const missing = await fetch(`${world.entry.url}/nowhere`, { headers: { accept: 'text/html' } });
  expect(await missing.text()).toContain('<h1>Not found</h1>');
  const program = await fetch(world.entry.url);
  expect([program.status, program.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
});
