import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { authorizeUrl, newProof, registerClient } from '../../support/oauth.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const hour = 3_600_000;

describe('signing in', () => {
  it('leads back to the page that the person came from', async () => {
    const browser = new Browser(service.url);
    const asked = await browser.get('/account/security');
    expect(asked.path).toBe('/sign-in?return_to=%2Faccount%2Fsecurity');
    const page = await browser.submit(asked, '/sign-in', owner);
    expect(page).toMatchObject({ status: 200, path: '/account/security' });
    expect(page.text).toContain(owner.email);
  });

  it('gets the same response for a wrong password as for an unknown address', async () => {
    const [wrong, unknown] = [
      await new Browser(service.url).signIn(owner.email, 'not the password'),
      await new Browser(service.url).signIn('nobody@tests.example', 'not the password'),
    ];
    expect(wrong.status).toBe(403);
    expect(wrong.text).toContain('The email address or the password is incorrect.');
    const withoutWhatDiffers = (html: string) =>
      html.replaceAll(/(form_token|nonce)" value="[^"]+"/g, '').replaceAll(/[a-z]+@tests\.example/g, '');
    expect(withoutWhatDiffers(wrong.html)).toBe(withoutWhatDiffers(unknown.html));
  });

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/..//evil.example', '/\tevil', ''])(
    'never redirects to another origin: %j',
    async (returnTo) => {
      const browser = new Browser(service.url);
      const page = await browser.get(`/sign-in?${new URLSearchParams({ return_to: returnTo })}`);
      expect(page.html).not.toContain('evil');
      const { email, password } = owner;
      expect((await browser.submit(page, '/sign-in', { email, password, return_to: returnTo })).path).toBe('/account');
    },
  );

  it("keeps the session in a cookie that scripts cannot read and other sites' forms do not send", async () => {
    const browser = new Browser(service.url);
    const form = await browser.get('/sign-in');
    const token = /form_token" value="([^"]+)"/.exec(form.html)?.[1] as string;
    const response = await browser.once('/sign-in', {
      method: 'POST',
      body: new URLSearchParams({ ...owner, form_token: token }),
    });
    const [cookie] = response.headers.getSetCookie().filter((line) => line.startsWith('session='));
    expect(cookie).toMatch(/^session=\w{43}; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  it('uses a __Host- cookie if BASE_URL is https, and __Secure- cookies for an authorization', async () => {
    const https = await startApp({ BASE_URL: 'https://ops.tests.example', TRUSTED_PROXIES: '1' });
    const { client_id } = await registerClient(https, { redirect_uris: ['https://app.tests.example/callback'] });
    const client = { client_id, redirectUri: 'https://app.tests.example/callback' };
    const behindProxy = { host: 'ops.tests.example', 'x-forwarded-proto': 'https' };
    // Not fetch, which does not allow a Host header to be set.
    const cookiesOf = async (url: string) => {
      const [answer] = (await once(get(url, { headers: behindProxy }), 'response')) as [IncomingMessage];
      answer.resume();
      return answer.headers['set-cookie'];
    };
    const signingIn = await cookiesOf(`${https.url}/sign-in`);
    const resource = 'https://ops.tests.example/mcp';
    const authorizing = await cookiesOf(authorizeUrl(https, client, newProof(), { parameters: { resource } }));
    await https.close();
    expect(signingIn).toEqual([
      expect.stringMatching(/^__Host-visitor=\w{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(authorizing).toHaveLength(4);
    for (const cookie of authorizing ?? [])
      expect(cookie).toMatch(/^__Secure-interaction(_resume)?(\.sig)?=.+; secure; httponly/i);
  });

  it('ends after twelve idle hours, and after fourteen days in any case', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    clock.advance(11 * hour);
    expect((await browser.get('/account')).path).toBe('/account');
    clock.advance(13 * hour);
    expect((await browser.get('/account')).path).toContain('/sign-in');

    await browser.signIn(owner.email, owner.password);
    for (let passed = 0; passed < 14 * 24 * hour; passed += 10 * hour) {
      expect((await browser.get('/account')).path).toBe('/account');
      clock.advance(10 * hour);
    }
    expect((await browser.get('/account')).path).toContain('/sign-in');
  });

  it('signs out, after which the cookie is worthless', async () => {
    const browser = new Browser(service.url);
    const page = await browser.signIn(owner.email, owner.password);
    const stolen = new Map(browser.cookies);
    const answers = jest.spyOn(browser, 'once');
    expect((await browser.submit(page, '/sign-out')).path).toBe('/sign-in');
    const [signedOut] = await Promise.all(answers.mock.results.map(({ value }) => value as Promise<Response>));
    expect(signedOut?.headers.get('clear-site-data')).toBe('"cache", "storage"');
    stolen.forEach((value, name) => browser.cookies.set(name, value));
    expect((await browser.get('/account')).path).toContain('/sign-in');
  });

  it('creates a new cookie at each sign-in', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    const first = browser.cookies.get('session');
    await browser.signIn(owner.email, owner.password);
    expect(browser.cookies.get('session')).not.toBe(first);
    browser.cookies.set('session', first as string);
    expect((await browser.get('/account')).path).toContain('/sign-in');
  });
});

describe('forms', () => {
  const fields = { ...owner, return_to: '/account' };

  it('are rejected without the token of this browser', async () => {
    const browser = new Browser(service.url);
    await browser.get('/sign-in');
    const page = await browser.post('/sign-in', fields);
    expect(page.status).toBe(403);
    expect(page.headers.get('content-type')).toContain('text/html');
    const other = new Browser(service.url);
    const theirs = await other.get('/sign-in');
    expect((await browser.submit(theirs, '/sign-in', fields)).status).toBe(403);
  });

  it.each([
    ['origin', 'https://evil.example'],
    ['origin', 'null'],
    ['sec-fetch-site', 'cross-site'],
  ])('are rejected from another site: %s %s', async (name, value) => {
    const browser = new Browser(service.url);
    const page = await browser.submit(await browser.get('/sign-in'), '/sign-in', fields, { [name]: value });
    expect(page.status).toBe(403);
    expect(page.text).toContain('another site');
  });

  it('are rejected when they are too large, are not a form, or repeat a field', async () => {
    const browser = new Browser(service.url);
    const token = /form_token" value="([^"]+)"/.exec((await browser.get('/sign-in')).html)?.[1] as string;
    const type = 'application/x-www-form-urlencoded';
    const send = (body: string, contentType = type) =>
      browser.once('/sign-in', { method: 'POST', body, headers: { 'content-type': contentType } });
    expect((await send(`form_token=${token}&email=${'a'.repeat(70_000)}`)).status).toBe(400);
    expect((await send(`{"form_token":"${token}"}`, 'application/json')).status).toBe(400);
    expect((await send(`form_token=${token}&email=a&email=b`)).status).toBe(400);
  });
});

describe('a page', () => {
  it('runs no script, cannot be framed, and is not cached', async () => {
    const { headers, html } = await new Browser(service.url).get('/sign-in');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    );
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(html).not.toContain('<script');
    const sheet = /href="(\/assets\/style-[0-9a-f]{16}\.css)"/.exec(html)?.[1] as string;
    const style = await fetch(service.url + sheet);
    expect(style.status).toBe(200);
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.headers.get('cache-control')).toContain('immutable');
  });

  it('opened on another host redirects to BASE_URL', async () => {
    const response = await fetch(`${service.url.replace('localhost', '127.0.0.1')}/sign-in?return_to=%2Faccount`, {
      redirect: 'manual',
    });
    expect(response.status).toBe(303);
    expect(response.headers.get('location')).toBe(`${service.url}/sign-in?return_to=%2Faccount`);
  });

  it('that does not exist returns the error envelope', async () => {
    const unknown = await fetch(`${service.url}/account/nothing`);
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { type: 'not_found_error' } });
  });
});
