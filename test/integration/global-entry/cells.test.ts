import * as oauth from 'oauth4webapi';
import { newApiKey, newApplicationId } from '#regions';
import { apiOf } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { mcpOf } from '../../support/mcp.js';
import { oneConnection } from '../../support/one-connection.js';
import {
  authorizeUrl,
  decide,
  exchange,
  newProof,
  openConsent,
  refresh,
  registerClient,
  revoke,
} from '../../support/oauth.js';
import { addPerson } from '../../support/people.js';
import { startEntry, startTwoRegions, type TwoRegions } from '../../support/regions.js';
import type { Service } from '../../support/start-app.js';

let world: TwoRegions;
beforeAll(async () => {
  world = await startTwoRegions();
});
afterAll(() => world.close());
afterEach(() => clock.restore());

const organizationOf = async ({ api }: Service): Promise<string> => (await api.get('/organization')).body.data.id;
const throughEntry = (credential: string) => mcpOf(world.entry.url, credential);

describe('a key', () => {
  it('works in its region, through the entry with the same limits and request id as at its cell', async () => {
    // Within one minute of the limit.
    clock.set('2030-05-05T12:00:30.000Z');
    for (const cell of [world.us, world.eu]) {
      const direct = await mcpOf(cell.url, cell.key).call('getMe');
      const { headers, body } = await throughEntry(cell.key).call('getMe', {}, { headers: { 'x-request-id': 'same' } });
      expect(body.data.organization.id).toBe(await organizationOf(cell));
      expect(headers.get('x-request-id')).toBe('same');
      expect(headers.get('x-ratelimit-limit')).toBe('1000');
      expect(Number(headers.get('x-ratelimit-remaining'))).toBe(
        Number(direct.headers.get('x-ratelimit-remaining')) - 1,
      );
    }
  });

  it('of another region or environment is 401, with an error that says where it works', async () => {
    const { us, eu, entry } = world;
    const { status, body } = await apiOf(eu.url, us.key).get('/me');
    expect(status).toBe(401);
    expect(body.error).toMatchObject({ type: 'authentication_error', message: expect.stringContaining(us.url) });
    expect(body.error.message).toContain(`${entry.url}/mcp`);
    const other = await throughEntry(newApiKey('test', 'eu')).call('getMe');
    expect([other.status, other.body.error.message]).toEqual([401, expect.stringMatching(/test environment/)]);
  });
});

describe('the address of a client', () => {
  const [office, client] = ['203.0.113.9', '198.51.100.4'];
  const from = async (url: string, allowed: string, forwarded: string): Promise<number> => {
    const wish = { name: 'Office', scopes: ['tasks:read'], allowedAddresses: [allowed] };
    const { body } = await world.us.api.post('/api-keys', wish);
    const headers = { 'x-forwarded-for': forwarded };
    return (await mcpOf(url, body.data.key as string).call('getMe', {}, { headers })).status;
  };

  it('is the one that the proxy before the entry saw, and not the one that the client claims', async () => {
    const addresses = `${office}, ${client}`;
    expect(await from(world.entry.url, client, addresses)).toBe(200);
    expect(await from(world.entry.url, office, addresses)).toBe(403);
  });

  it('is the one that the entry saw if there is no proxy before it, whatever the client claims', async () => {
    const { us } = world;
    const alone = await startEntry({ REGION_URLS: `us=${us.url}` });
    try {
      expect(await from(alone.url, '127.0.0.0/8', office)).toBe(200);
      for (const addresses of [office, `${office}, 127.0.0.1`])
        expect(await from(alone.url, office, addresses)).toBe(403);
    } finally {
      await alone.close();
    }
  });
});

describe('an application that registered at the entry', () => {
  const at = () => ({ url: world.entry.url });
  const client = { scopes: ['tasks:read', 'offline_access'] };

  /**
   * The region that the person selects leads to its sign-in and consent pages; returns what the application receives.
   */
  async function approve(cell: Service, registered: Awaited<ReturnType<typeof registerClient>>, proof = newProof()) {
    const email = (await addPerson(cell, { role: 'manager' })).email as string;
    const picker = await (await fetch(authorizeUrl(at(), registered, proof, client))).text();
    const links = [...picker.matchAll(/href="(http[^"]+)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
    const browser = new Browser(cell.url);
    const link = links.find((href) => href.startsWith(cell.url)) as string;
    const page = await openConsent(browser, { email, password: 'some long words' }, link);
    const { url } = await decide(browser, page, 'authorize', await organizationOf(cell));
    return { url, proof };
  }

  it('is authorized in the region that the person selects, with a response in the entry’s name', async () => {
    const registered = await registerClient(at());
    const { client_id } = registered;
    expect(client_id).toMatch(/^app_us_/);
    for (const cell of [world.eu, world.us]) {
      const { url, proof } = await approve(cell, registered);
      const issuer = { issuer: world.entry.url, authorization_response_iss_parameter_supported: true };
      expect(() => oauth.validateAuthResponse(issuer, { client_id }, url, 'the-state')).not.toThrow();
      const given = await exchange(at(), registered, url.searchParams.get('code') as string, proof, {
        resource: `${world.entry.url}/mcp`,
      });
      expect(given.status).toBe(200);
      const renewed = await refresh(at(), registered, given.body.refresh_token);
      const { body } = await throughEntry(renewed.body.access_token).call('getMe');
      expect(body.data.organization.id).toBe(await organizationOf(cell));
      expect((await revoke(at(), registered, renewed.body.refresh_token)).status).toBe(200);
      expect((await throughEntry(renewed.body.access_token).call('getMe')).status).toBe(401);
    }
  });

  it('needs its secret in every region, and reveals it to none', async () => {
    const registered = await registerClient(at(), { token_endpoint_auth_method: 'client_secret_post' });
    const secret = registered.client_secret as string;
    const { url, proof } = await approve(world.eu, registered);
    const code = url.searchParams.get('code') as string;
    const wrong = await exchange(at(), { ...registered, client_secret: 'wrong' }, code, proof);
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    expect((await exchange(at(), registered, code, proof)).status).toBe(200);
    const fetched = await fetch(`${world.us.url}/global/applications/${registered.client_id}`);
    expect(fetched.status).toBe(200);
    expect(await fetched.text()).not.toContain(secret);
  });

  it('is rejected on a page if no region knows it', async () => {
    const unknown = { client_id: newApplicationId('us'), redirectUri: 'http://localhost:33418/callback' };
    const reply = await fetch(authorizeUrl({ url: `${world.eu.url}/global` }, unknown, newProof()));
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('not registered here')]);
  });
});

it('a body that is too large is rejected by the cell, and its connection continues', async () => {
  const { send, close } = oneConnection(world.entry.url, world.eu.key);
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  try {
    for (let round = 0; round < 10; round += 1) {
      expect(await send(ping.padEnd(3_000_000))).toMatchObject({
        status: 400,
        body: { error: { message: expect.stringContaining('at most 1048576 bytes') as string } },
      });
      expect((await send(ping)).status).toBe(200);
    }
  } finally {
    close();
  }
});

it('a region that is down does not affect the other, and registrations go there', async () => {
  await world.us.app.close();
  const out = await throughEntry(world.us.key).call('getMe');
  expect([out.status, out.headers.get('retry-after')]).toEqual([503, '5']);
  expect((await throughEntry(world.eu.key).call('getMe')).status).toBe(200);
  expect((await registerClient({ url: world.entry.url })).client_id).toMatch(/^app_eu_/);
});
