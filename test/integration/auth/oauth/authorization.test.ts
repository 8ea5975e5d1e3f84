import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { unavailable } from '#errors';
import { InteractionsRepository } from '../../../../src/auth/oauth/interactions.repository.js';
import { Browser } from '../../../../faults/page-client.js';
import { clock } from '../../../support/clock.js';
import {
  authorize,
  authorizeUrl,
  type Client,
  codeFor,
  decide,
  exchange,
  newProof,
  post,
  registerClient,
  submit,
} from '../../../support/oauth.js';
import { type Ops, startOps } from '../../../support/ops.js';
import { type Service, startApp } from '../../../support/start-app.js';

const eva = { email: 'eva@tests.example', password: 'a long enough password' };

let service: Service;
let ops: Ops;
let lakeside: string;
let client: Client;
beforeAll(async () => {
  service = await startApp({ TRUSTED_PROXIES: '1' });
  ops = await startOps(service);
  lakeside = (await ops('org create --name "Lakeside Stays"')).id;
  await ops(`user create --email ${eva.email} --password "${eva.password}" --name Eva`);
  await ops(`member add --org ${lakeside} --email ${eva.email} --role manager`);
  client = await registerClient(service, { client_name: 'Concierge Assistant' });
});
afterAll(async () => {
  await ops.close();
  await service.close();
});
afterEach(() => {
  clock.restore();
  jest.restoreAllMocks();
});

describe('the complete flow', () => {
  it('OAU-4 OAU-5 OAU-6 OAU-14 leads from the request over sign-in and consent to a token that acts as the person', async () => {
    const proof = newProof();
    const browser = new Browser(service.url);
    const signIn = await browser.get(authorizeUrl(service, client, proof));
    expect(signIn.url.pathname).toBe('/sign-in');
    const consent = await submit(browser, signIn, eva);
    expect(consent.url.pathname).toMatch(/^\/consent\//);
    expect(consent.html).toContain('Concierge Assistant requests access to your organization');
    const done = await decide(browser, consent, 'authorize', lakeside);
    expect(done.url.origin + done.url.pathname).toBe('http://localhost:33418/callback');
    expect(Object.fromEntries(done.url.searchParams)).toEqual({
      code: expect.stringMatching(/^ac_us_[0-9A-Za-z]{43}$/),
      state: 'the-state',
      iss: service.url,
    });
    const { status, body, headers } = await exchange(service, client, done.url.searchParams.get('code') ?? '', proof);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toContain('no-store');
    expect(body).toEqual({
      access_token: expect.stringMatching(/^at_us_[0-9A-Za-z]{43}$/),
      refresh_token: expect.stringMatching(/^rt_us_[0-9A-Za-z]{43}$/),
      expires_in: 3_600,
      scope: 'tasks:read tasks:write',
      token_type: 'Bearer',
    });
    const me = await service.api.as(body.access_token).get('/me');
    expect(me.status).toBe(200);
    expect(me.body.data).toMatchObject({
      credential: 'oauth',
      organization: { id: lakeside },
      member: { name: 'Eva', kind: 'user' },
      scopes: ['tasks:read', 'tasks:write'],
      permissions: ['tasks:read', 'tasks:write'],
    });
    expect(me.headers.get('x-ratelimit-limit')).toBe('1000');
    const task = await service.api.as(body.access_token).post('/tasks', { name: 'From the assistant' });
    expect(task.status).toBe(201);
  });

  it('OAU-7 issues a refresh token only with offline_access', async () => {
    const tokens = await authorize(service, { ...eva, orgId: lakeside, scopes: ['tasks:read'] });
    expect(tokens.refresh_token).toBeUndefined();
    expect(tokens.scope).toBe('tasks:read');
  });

  it('skips the sign-in for a signed-in person, but always asks for consent (CON-1)', async () => {
    const browser = new Browser(service.url);
    await codeFor(service, client, newProof(), { ...eva, orgId: lakeside }, browser);
    const again = await browser.get(authorizeUrl(service, client, newProof()));
    expect(again.url.pathname).toMatch(/^\/consent\//);
    expect(again.html).toContain('Replaces your approval of');
  });

  it('asks to sign in again if the application requires it', async () => {
    const browser = new Browser(service.url);
    clock.set('2026-11-21T10:00:00Z');
    await browser.signIn(eva.email, eva.password);
    clock.advance(60_000);
    for (const prompt of ['login', 'select_account']) {
      const page = await browser.get(authorizeUrl(service, client, newProof(), { parameters: { prompt } }));
      expect(page.url.pathname).toBe('/sign-in');
      expect((await submit(browser, page, eva)).url.pathname).toMatch(/^\/consent\//);
      clock.advance(60_000);
    }
  });

  it('accepts the extra parameters of OpenID clients, and ignores unknown scopes', async () => {
    const parameters = { nonce: 'n', max_age: '10', claims: '{}', acr_values: 'x', response_mode: 'query' };
    const tokens = await authorize(service, {
      ...eva,
      orgId: lakeside,
      client,
      scopes: ['openid', 'profile', 'tasks:read'],
      parameters,
    });
    expect(tokens.scope).toBe('tasks:read');
    expect(tokens).not.toHaveProperty('id_token');
    const reading = await authorize(service, {
      ...eva,
      orgId: lakeside,
      client,
      scopes: ['claudeai', 'offline_access'],
    });
    expect(reading.scope.split(' ')).toEqual(expect.arrayContaining(['tasks:read', 'properties:read']));
    expect(reading.scope).not.toContain('write');
    expect(reading.refresh_token).toBeDefined();
  });
});

describe('an authorization request', () => {
  const answerTo = async (parameters: Record<string, string | undefined>, asker: Client = client) => {
    const url = authorizeUrl(service, asker, newProof(), { parameters });
    const response = await fetch(url, { redirect: 'manual' });
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location ? new URL(location, service.url) : undefined,
      html: await response.text(),
      headers: response.headers,
    };
  };

  it.each([
    ['without PKCE', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['without a method', { code_challenge_method: undefined }, 'invalid_request'],
    ['for an immediate token', { response_type: 'token' }, 'unsupported_response_type'],
    ['for another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['with the response in a form', { response_mode: 'form_post' }, 'invalid_request'],
    ['with the response in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['with prompt=none', { prompt: 'none' }, 'login_required'],
    ['with prompt=none and a space', { prompt: 'none ' }, 'login_required'],
    ['with prompt=login and prompt=none', { prompt: 'login none' }, 'invalid_request'],
  ])('%s is rejected at the redirect URI (OAU-3)', async (_name, parameters, error) => {
    const { status, location } = await answerTo(parameters);
    expect(status).toBe(303);
    expect(location?.origin).toBe('http://localhost:33418');
    // The response to a request for an immediate token is in the fragment (OAuth 2.0 Multiple Response Types).
    const answer = new URLSearchParams(location?.search || location?.hash.slice(1));
    expect(Object.fromEntries(answer)).toMatchObject({ error, state: 'the-state', iss: service.url });
  });

  it('of a confidential client also needs PKCE', async () => {
    const confidential = await registerClient(service, { token_endpoint_auth_method: 'client_secret_basic' });
    const { location } = await answerTo({ code_challenge: undefined, code_challenge_method: undefined }, confidential);
    expect(location?.searchParams.get('error')).toBe('invalid_request');
  });

  it.each([
    'https://evil.example/callback',
    'http://localhost:33418/callback/',
    'http://localhost:33418/callback?x=1',
    'http://localhost:33418/other',
    'http://localhost:33418@evil.example/callback',
    'http://127.0.0.1:33418/callback',
    'https://localhost:33418/callback',
    'http://localhost.evil.example:33418/callback',
    'http://LOCALHOST:33418/callback',
    'http://localhost:99999/callback',
  ])('never redirects to %s, which is not registered', async (redirect_uri) => {
    const { status, location, html, headers } = await answerTo({ redirect_uri });
    expect(status).toBe(400);
    expect(location).toBeUndefined();
    expect(html).toContain('invalid_redirect_uri');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('of a native application may return to any port', async () => {
    const { location } = await answerTo({ redirect_uri: 'http://localhost:50123/callback' });
    expect(location?.pathname).toMatch(/^\/consent\//);
  });

  it('at another of our hosts redirects to the one where people sign in', async () => {
    const url = authorizeUrl(service, client, newProof());
    const { status, headers } = await fetch(url.replace('localhost', '127.0.0.1'), { redirect: 'manual' });
    expect(status).toBe(303);
    expect(headers.get('location')).toBe(url);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('of an unknown application shows a page', async () => {
    const { status, html } = await answerTo({ client_id: 'app_us_nobody' });
    expect(status).toBe(400);
    expect(html).toContain('not registered here');
    expect(html).not.toContain('<script');
  });

  it('that fails because of us shows an error page, and is logged', async () => {
    const failure = new Error('No space left');
    const save = jest.spyOn(service.app.get(InteractionsRepository, { strict: false }), 'save');
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
    save.mockRejectedValue(failure);
    const { status, html, headers } = await answerTo({});
    const requestId = headers.get('x-request-id') as string;
    expect(status).toBe(500);
    expect(html).toContain('Something went wrong on our side. Please try again.');
    expect(html).toContain(requestId);
    const logId = expect.stringMatching(/^request_[0-9a-f]{32}$/) as string;
    expect(log).toHaveBeenCalledWith({ requestId, logId, err: failure }, 'The authorization server failed');
    save.mockRejectedValue(unavailable('The database is out of reach.', 5, failure));
    const unreached = await answerTo({});
    expect([unreached.status, unreached.headers.get('retry-after')]).toEqual([503, '5']);
    expect(unreached.html).toContain('The database is out of reach.');
  });

  it.each(['client_id', 'state', 'login_hint', 'ui_locales', 'display'])(
    'with a NUL in %s shows an error page',
    async (name) => {
      const { status, html } = await answerTo({ [name]: 'a\0b' });
      expect(status).toBe(400);
      expect(html).toContain('contains a NUL character');
      expect(html).toContain('invalid_request');
    },
  );

  it.each(['', '/', '/mcp', '/mcp/', '/api/v1', '/api/v1/'])(
    'accepts our own address with %s as the resource',
    async (path) => {
      const tokens = await authorize(service, {
        ...eva,
        orgId: lakeside,
        client,
        parameters: { resource: service.url + path },
      });
      expect((await service.api.as(tokens.access_token).get('/tasks')).status).toBe(200);
    },
  );
});

describe('the code', () => {
  const newCode = async () => {
    const proof = newProof();
    return { proof, code: await codeFor(service, client, proof, { ...eva, orgId: lakeside }) };
  };

  it('OAU-11 LIF-1 expires after ten minutes', async () => {
    clock.set('2026-11-21T10:00:00Z');
    const [early, late] = [await newCode(), await newCode()];
    clock.set('2026-11-21T10:09:58Z');
    expect((await exchange(service, client, late.code, late.proof)).status).toBe(200);
    const third = await newCode();
    clock.advance(600_000);
    for (const { code, proof } of [early, third]) {
      expect(await exchange(service, client, code, proof)).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant', meta: { requestId: expect.any(String) } },
      });
    }
  });

  it('is not used up by a wrong verifier, client or redirect URI', async () => {
    const { code, proof } = await newCode();
    const other = await registerClient(service);
    expect(await exchange(service, client, code, newProof())).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(await exchange(service, other, code, proof)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect(
      await exchange(service, client, code, proof, { redirect_uri: 'http://localhost:33418/other' }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await exchange(service, client, code, proof)).status).toBe(200);
  });

  it('works once; a second use ends what it issued', async () => {
    const { code, proof } = await newCode();
    const { body } = await exchange(service, client, code, proof);
    expect(await exchange(service, client, code, proof)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await service.api.as(body.access_token).get('/me')).status).toBe(401);
  });

  it('works once for parallel requests, and none of them keeps a token', async () => {
    const { code, proof } = await newCode();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(service, client, code, proof)));
    const given = answers.filter(({ status }) => status === 200);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_grant')).toHaveLength(7);
    expect((await service.api.as(given[0]?.body.access_token).get('/me')).status).toBe(401);
  });

  it('is rejected for another resource, and is not used up by it', async () => {
    const { code, proof } = await newCode();
    expect(await exchange(service, client, code, proof, { resource: 'https://other.example' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_target' },
    });
    expect((await exchange(service, client, code, proof, { resource: `${service.url}/api/v1` })).status).toBe(200);
  });

  it('needs the secret of a client that has one', async () => {
    for (const method of ['client_secret_post', 'client_secret_basic']) {
      const confidential = await registerClient(service, { token_endpoint_auth_method: method });
      const proof = newProof();
      const code = await codeFor(service, confidential, proof, { ...eva, orgId: lakeside });
      const { client_secret, ...secretless } = confidential;
      for (const wrong of [secretless, { ...secretless, client_secret: 'wrong' }]) {
        const refused = await exchange(service, wrong, code, proof);
        expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      }
      expect(client_secret).toBeDefined();
      expect((await exchange(service, confidential, code, proof)).status).toBe(200);
    }
  });

  it.each(['token', 'revoke'])('of a client whose id contains a NUL is rejected by /oauth/%s', async (endpoint) => {
    const fields = { client_id: 'a\0b', token: 'x', grant_type: 'authorization_code', code: 'x' };
    const { status, body } = await post(service, `/oauth/${endpoint}`, fields);
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: 'invalid_client', meta: { requestId: expect.any(String) } });
  });

  it('gets a JSON response whatever the request accepts', async () => {
    const response = await fetch(`${service.url}/oauth/token`, {
      method: 'POST',
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=authorization_code&code=x&client_id=nobody',
    });
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toMatchObject({ error: 'invalid_client', meta: { requestId: expect.any(String) } });
  });
});
