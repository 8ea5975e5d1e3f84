import { randomInt } from 'node:crypto';
import type { Json } from '../support/api.js';
import { Browser } from '../../faults/page-client.js';
import {
  authorizeUrl,
  type Client,
  codeFor,
  decide,
  exchange,
  newProof,
  openConsent,
  refresh,
  registerClient,
  submit,
} from '../support/oauth.js';
import { type OAuthWorld, openWorld } from '../support/oauth-world.js';
import { serviceClock } from '../support/service-clock.js';
import { TARGET_OPS, TARGET_URL, withOps } from '../support/target.js';

const there = withOps('people sign in, and applications register from many addresses');
/** A deployment remembers the addresses of the last run. */
const net = TARGET_URL ? `198.18.${randomInt(256)}` : '198.51.100';

let world: OAuthWorld;
let client: Client;
beforeAll(async () => {
  if (TARGET_URL && !TARGET_OPS) return;
  world = await openWorld();
  client = await registerClient(world.service, { client_name: 'Concierge Assistant' });
});
afterAll(() => world?.close());
afterEach(() => serviceClock.restore());

const get = async (path: string): Promise<{ status: number; body: Json }> => {
  const response = await fetch(world.service.url + path);
  return { status: response.status, body: (await response.json()) as Json };
};

const register = async (
  redirectUris: string[],
  ip: string,
): Promise<{ status: number; headers: Headers; body: Json }> => {
  const response = await fetch(`${world.service.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify({ client_name: 'An application', redirect_uris: redirectUris }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Json };
};

/** The immediate redirect of an authorization request. */
const answerTo = async (parameters: Record<string, string | undefined>): Promise<URL> => {
  const url = authorizeUrl(world.service, client, newProof(), { parameters });
  const response = await fetch(url, { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '', world.service.url);
};

describe('DIS', () => {
  there('returns the addresses of the authorization server', async () => {
    const { status, body } = await get('/.well-known/oauth-authorization-server');
    expect(status).toBe(200);
    expect(body.issuer).toBe(world.service.url);
    for (const name of ['authorization_endpoint', 'token_endpoint', 'registration_endpoint', 'revocation_endpoint']) {
      expect(new URL(body[name]).origin).toBe(world.service.url);
    }
    expect(body.code_challenge_methods_supported).toEqual(['S256']);
  });

  there('returns the protected resource and its authorization server', async () => {
    for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
      const { status, body } = await get(path);
      expect([status, body.authorization_servers]).toEqual([200, [world.service.url]]);
      expect(body.resource).toBe(`${world.service.url}/mcp`);
    }
  });
});

describe('OAU', () => {
  there('registers anyone and returns a client_id', async () => {
    const { status, body } = await register(['https://assistant.example/callback'], `${net}.1`);
    expect([status, typeof body.client_id]).toEqual([201, 'string']);
  });

  there('limits registrations to five an hour for each address', async () => {
    serviceClock.freeze();
    const replies = [];
    for (let asked = 0; asked < 6; asked += 1) replies.push(await register(['https://a.example/cb'], `${net}.2`));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 429]);
    const { headers, body } = replies[5] as (typeof replies)[number];
    expect(body).toMatchObject({
      error: { type: 'rate_limit_error', code: 'RATE_LIMITED' },
      meta: { requestId: headers.get('x-request-id') },
    });
    expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect((await register(['https://a.example/cb'], `${net}.3`)).status).toBe(201);
    await serviceClock.advance(3_600_000 - 5 * serviceClock.slackMs);
    expect((await register(['https://a.example/cb'], `${net}.2`)).status).toBe(429);
    await serviceClock.advance(6 * serviceClock.slackMs);
    expect((await register(['https://a.example/cb'], `${net}.2`)).status).toBe(201);
  });

  there('accepts at most ten redirect URIs', async () => {
    const uris = (count: number) => Array.from({ length: count }, (_, index) => `https://a.example/${index}`);
    expect((await register(uris(10), `${net}.4`)).status).toBe(201);
    expect(await register(uris(11), `${net}.4`)).toMatchObject({
      status: 400,
      body: { error: 'invalid_redirect_uri', meta: { requestId: expect.any(String) } },
    });
  });

  there('accepts https, and http only on loopback', async () => {
    for (const uri of ['https://a.example/cb', 'http://localhost:1/cb', 'http://127.0.0.1/cb', 'http://[::1]:9/cb']) {
      expect([uri, (await register([uri], `${net}.5`)).status]).toEqual([uri, 201]);
    }
    const refused = [
      'http://a.example/cb',
      'http://localhost.a.example/',
      'http://127.1/',
      'myapp://cb',
      'https://*.a.example/',
    ];
    for (const uri of refused) {
      const { status, body } = await register([uri], `${net}.6`);
      expect([uri, status, body.error]).toEqual([uri, 400, 'invalid_redirect_uri']);
    }
  });

  there('requires PKCE with S256', async () => {
    for (const parameters of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ]) {
      expect((await answerTo(parameters)).searchParams.get('error')).toBe('invalid_request');
    }
    const [proof, person] = [newProof(), await world.person()];
    const code = await codeFor(world.service, client, proof, { ...person, orgId: world.lakeside });
    expect((await exchange(world.service, client, code, newProof())).body.error).toBe('invalid_grant');
    expect((await exchange(world.service, client, code, proof)).status).toBe(200);
  });

  there(
    'leads from sign-in and consent to a code at the registered address, which is exchanged with its verifier for tokens',
    async () => {
      const [proof, person, browser] = [newProof(), await world.person(), new Browser(world.service.url)];
      const signIn = await browser.get(authorizeUrl(world.service, client, proof));
      expect(signIn.url.pathname).toBe('/sign-in');
      const consent = await submit(browser, signIn, { email: person.email, password: person.password });
      expect(consent.url.pathname).toMatch(/^\/consent\//);
      const done = await decide(browser, consent, 'authorize', world.lakeside);
      expect(done.url.origin + done.url.pathname).toBe(client.redirectUri);
      expect(done.url.searchParams.get('iss')).toBe(world.service.url);
      const { status, body } = await exchange(world.service, client, done.url.searchParams.get('code') ?? '', proof);
      expect([status, body.token_type, body.expires_in]).toEqual([200, 'Bearer', 3_600]);
      expect(body.access_token).not.toContain('.');
      expect((await world.rest(body.access_token).get('/me')).body.data.member.id).toBe(person.memberId);
    },
  );

  there('redirects to registered addresses only', async () => {
    for (const uri of ['https://elsewhere.example/', `${client.redirectUri}/more`]) {
      const url = authorizeUrl(world.service, client, newProof(), { parameters: { redirect_uri: uri } });
      const { status, headers } = await fetch(url, { redirect: 'manual' });
      expect([uri, status, headers.has('location')]).toEqual([uri, 400, false]);
    }
  });

  there('issues a refresh token only with offline_access, and a new one at each refresh', async () => {
    const person = await world.person();
    expect((await world.tokensOf(person, { scopes: ['tasks:read'] })).refresh_token).toBeUndefined();
    const first = await world.tokensOf(person, { scopes: ['tasks:read', 'offline_access'] });
    const { status, body } = await refresh(world.service, first.client, first.refresh_token ?? '');
    expect(status).toBe(200);
    expect(new Set([body.refresh_token, first.refresh_token]).size).toBe(2);
    expect(new Set([body.access_token, first.access_token]).size).toBe(2);
    expect((await world.rest(body.access_token).get('/tasks')).status).toBe(200);
  });
});

describe('CON', () => {
  there('is shown for every request, whatever was approved before', async () => {
    const [person, browser] = [await world.person(), new Browser(world.service.url)];
    await codeFor(world.service, client, newProof(), { ...person, orgId: world.lakeside }, browser);
    const again = await browser.get(authorizeUrl(world.service, client, newProof()));
    expect(again.url.pathname).toMatch(/^\/consent\//);
    const silent = authorizeUrl(world.service, client, newProof(), { parameters: { prompt: 'none' } });
    const answers = [(await browser.get(silent)).url, await answerTo({ prompt: 'none' })];
    expect(answers.map(({ searchParams }) => [searchParams.get('error'), searchParams.has('code')])).toEqual([
      ['login_required', false],
      ['login_required', false],
    ]);
  });

  there('shows the name, the organizations and the permissions in plain language', async () => {
    const person = await world.person();
    await world.join(person, world.alpine, 'cleaner');
    const url = authorizeUrl(world.service, client, newProof(), { scopes: ['tasks:read', 'members:manage'] });
    const { text, html } = await openConsent(new Browser(world.service.url), person, url);
    for (const words of [
      'Concierge Assistant',
      'Lakeside Stays',
      'Alpine Lofts',
      'Tasks, their checklists and comments',
    ]) {
      expect(text).toContain(words);
    }
    expect(text).not.toMatch(/\w+:(read|write|manage)/);
    const offered = [...html.matchAll(/<input type="radio"[^>]*name="organizationId"[^>]*>/g)].map(([input]) => input);
    expect(offered).toHaveLength(2);
    expect(offered.filter((input) => input.includes('checked'))).toEqual([]);
  });

  there("preselects a single organization, and requires exactly one of the person's own", async () => {
    const [person, browser] = [await world.person(), new Browser(world.service.url)];
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    expect(page.html).toMatch(new RegExp(`<input type="radio"[^>]*value="${world.lakeside}"[^>]*checked`));
    expect((await decide(browser, page, 'authorize')).status).toBe(400);
    expect((await decide(browser, page, 'authorize', world.alpine)).status).toBe(403);
    expect((await decide(browser, page, 'authorize', world.lakeside)).url.searchParams.has('code')).toBe(true);
  });

  there('returns without a code on Cancel', async () => {
    const [person, browser] = [await world.person(), new Browser(world.service.url)];
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const { url } = await decide(browser, page, 'cancel');
    expect(url.origin + url.pathname).toBe(client.redirectUri);
    expect([url.searchParams.get('error'), url.searchParams.has('code')]).toEqual(['access_denied', false]);
  });
});
