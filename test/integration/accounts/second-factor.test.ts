import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { SecondFactorsService } from '../../../src/auth/accounts/second-factors.service.js';
import { codeOf, secretIn } from '../../support/authenticator.js';
import { Browser, type PageReply } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { dumpOf } from '../../support/dump.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  clock.set('2026-03-01T12:00:00Z');
  service = await startApp();
});
afterAll(async () => {
  clock.restore();
  await service.close();
});

const password = 'correct horse battery staple';
const codesIn = (page: PageReply) => [...page.html.matchAll(/<code>([a-z0-9-]+)</g)].map(([, code]) => code as string);

const tokenIn = (page: PageReply) => /form_token" value="([^"]+)"/.exec(page.html)?.[1] as string;

let people = 0;
async function person(): Promise<{ email: string; userId: string; browser: Browser }> {
  people += 1;
  const email = `person${people}@tests.example`;
  const { id } = await service.app.get(UsersService).create({ email, name: 'Maria', password });
  const browser = new Browser(service.url);
  await browser.signIn(email, password);
  return { email, userId: id, browser };
}

/** A person with an authenticator and its recovery codes; the clock has advanced to the next code. */
async function enrolled(returnTo = '/account/security') {
  const { email, userId, browser } = await person();
  const page = await browser.get(`/account/security/totp?${new URLSearchParams({ return_to: returnTo })}`);
  const secret = secretIn(page);
  const done = await browser.submit(page, '/account/security/totp', { code: codeOf(secret) });
  clock.advance(30_000);
  return { email, userId, browser, secret, done, recoveryCodes: codesIn(done) };
}

/** The password is correct; returns the page for the second step. */
const firstStep = (email: string) => {
  const browser = new Browser(service.url);
  return browser.signIn(email, password, '/account').then((page) => ({ browser, page }));
};

const codePath = '/sign-in/code?return_to=%2Faccount';

describe('an authenticator app', () => {
  it('is enrolled with a code, and creates ten recovery codes that can be used', async () => {
    const { userId, done, recoveryCodes } = await enrolled('/account');
    expect(done.status).toBe(200);
    expect(recoveryCodes).toHaveLength(10);
    expect(done.html).toContain('<a class="button primary" href="/account">');
    expect(await service.app.get(SecondFactorsService).isEnrolled(userId)).toBe(true);
  });

  it('is not enrolled by a wrong code, and keeps its secret for the next try', async () => {
    const { userId, browser } = await person();
    const page = await browser.get('/account/security/totp');
    const wrong = codeOf(secretIn(page)) === '000000' ? '000001' : '000000';
    const again = await browser.submit(page, '/account/security/totp', { code: wrong });
    expect(again.status).toBe(400);
    expect(secretIn(again)).toBe(secretIn(page));
    expect(await service.app.get(SecondFactorsService).isEnrolled(userId)).toBe(false);
  });

  it('has a secret that no other session has seen, which may know only the password', async () => {
    const { email, userId, browser } = await person();
    const thief = new Browser(service.url);
    await thief.signIn(email, password);
    const seen = await thief.get('/account/security/totp');
    const page = await browser.get('/account/security/totp');
    expect(secretIn(page)).not.toBe(secretIn(seen));
    const refused = await thief.submit(seen, '/account/security/totp', { code: codeOf(secretIn(page)) });
    expect(refused.status).toBe(400);
    expect(await service.app.get(SecondFactorsService).isEnrolled(userId)).toBe(false);
    const again = await browser.get('/account/security/totp');
    const done = await browser.submit(again, '/account/security/totp', { code: codeOf(secretIn(again)) });
    expect(codesIn(done)).toHaveLength(10);
  });

  it('ends the sessions that only the password opened, when it is the first one', async () => {
    const { email, browser } = await person();
    const elsewhere = new Browser(service.url);
    await elsewhere.signIn(email, password);
    const page = await browser.get('/account/security/totp');
    await browser.submit(page, '/account/security/totp', { code: codeOf(secretIn(page)) });
    expect((await elsewhere.get('/account')).path).toContain('/sign-in?');
    expect((await browser.get('/account')).path).toBe('/account');
  });

  it('is required at the next sign-in, and the password gives no access without it', async () => {
    const { email, secret } = await enrolled();
    const { browser, page } = await firstStep(email);
    expect(page.path).toBe(codePath);
    expect(page.html).toContain('<button class="primary">Continue</button>');
    expect((await browser.get('/account')).path).toContain('/sign-in?');
    const half = browser.cookies.get('session');
    const opened = await browser.submit(page, codePath, { code: codeOf(secret) });
    expect(opened).toMatchObject({ status: 200, path: '/account' });
    expect(browser.cookies.get('session')).not.toBe(half);
  });

  it('accepts each code once', async () => {
    const { email, secret } = await enrolled();
    const code = codeOf(secret);
    const [first, second] = [await firstStep(email), await firstStep(email)];
    const pages = await Promise.all([
      first.browser.submit(first.page, codePath, { code }),
      second.browser.submit(second.page, codePath, { code }),
    ]);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200, 403]));
  });

  it('accepts the codes of the previous and the next step, and no others', async () => {
    const { email, secret } = await enrolled();
    const { browser, page } = await firstStep(email);
    const code = codeOf(secret);
    clock.advance(90_000);
    const late = await browser.submit(page, codePath, { code });
    expect(late.status).toBe(403);
    const next = codeOf(secret);
    clock.advance(29_000);
    expect((await browser.submit(late, codePath, { code: next })).path).toBe('/account');
  });

  it('slows guessing down', async () => {
    const { email } = await enrolled();
    const { browser, page } = await firstStep(email);
    const statuses = [];
    for (let guess = 0; guess < 6; guess += 1) {
      statuses.push((await browser.submit(page, codePath, { code: `wrong${guess}` })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  });

  it('must be used within ten minutes of the password', async () => {
    const { email } = await enrolled();
    const { browser, page } = await firstStep(email);
    clock.advance(599_000);
    expect((await browser.get(codePath)).path).toBe(codePath);
    clock.advance(1_000);
    expect((await browser.get(codePath)).path).toBe('/sign-in?return_to=%2Faccount');
    expect((await browser.submit(page, codePath, { code: '123456' })).path).toBe('/sign-in?return_to=%2Faccount');
  });

  it('can be added only shortly after the password was entered', async () => {
    const { browser } = await person();
    const early = await browser.get('/account/security/totp');
    clock.advance(20 * 60_000);
    const late = await browser.submit(early, '/account/security/totp', { code: codeOf(secretIn(early)) });
    expect(late.text).toContain('Confirm that it is you');
    const asked = await browser.get('/account/security/totp?return_to=%2Faccount');
    expect(asked.path).toMatch(/^\/account\/confirm-password\?/);
    const wrong = await browser.submit(asked, '/account/confirm-password', { password: 'not it' });
    expect(wrong.status).toBe(403);
    const page = await browser.submit(wrong, '/account/confirm-password', { password });
    expect(page.path).toBe('/account/security/totp?return_to=%2Faccount');
  });

  it('is removed with a code or a recovery code, not with the password', async () => {
    const [one, two] = [await enrolled(), await enrolled()];
    for (const { userId, browser, code } of [
      { ...one, code: () => codeOf(one.secret) },
      { ...two, code: () => two.recoveryCodes[0] as string },
    ]) {
      const asked = await browser.get('/account/security/remove?factor=totp');
      const refused = await browser.submit(asked, '/account/security/remove', { password, code: 'not it' });
      expect(refused.status).toBe(403);
      expect(await service.app.get(SecondFactorsService).isEnrolled(userId)).toBe(true);
      const page = await browser.submit(asked, '/account/security/remove', { code: code() });
      expect(page.text).toContain('The second factor was removed.');
      expect(await service.app.get(SecondFactorsService).isEnrolled(userId)).toBe(false);
    }
  });

  it('needs a factor of the last ten minutes before another is added or its recovery codes are renewed', async () => {
    const { browser, secret } = await enrolled();
    clock.advance(569_000);
    expect((await browser.get('/account/security/passkeys')).path).toBe('/account/security/passkeys');
    clock.advance(1_000);
    const confirmed = '/account/confirm-password?return_to=%2Faccount';
    await browser.submit(await browser.get(confirmed), '/account/confirm-password', { password });
    for (const path of ['/account/security/passkeys', '/account/security/recovery-codes']) {
      const asked = await browser.get(path);
      expect(asked.path).toMatch(/^\/account\/confirm-password\?.*with=factor/);
      expect(asked.html).not.toContain('name="password"');
      const posted = await browser.post(path, { form_token: tokenIn(asked), password });
      expect(posted.text).toContain('Confirm that it is you');
    }
    const asked = await browser.get('/account/security/recovery-codes');
    expect((await browser.submit(asked, '/account/confirm-code', { code: 'not it' })).status).toBe(403);
    const page = await browser.submit(asked, '/account/confirm-code', { code: codeOf(secret) });
    expect(page.path).toBe('/account/security/recovery-codes');
  });
});

it('is required, with the password, to change the address or the password', async () => {
  const { email, browser, secret } = await enrolled();
  const early = await browser.get('/account');
  clock.advance(11 * 60_000);
  for (const [place, path, fields] of [
    ['/account', '/account/email', { email: `new-${email}`, password }],
    ['/account/security', '/account/security/password', { current_password: password, new_password: 'taken over' }],
  ] as const) {
    const shown = await browser.get(place);
    expect(shown.html).not.toContain(`action="${path}"`);
    expect(shown.html).toContain('Use your second factor');
    const asked = await browser.post(path, { form_token: tokenIn(early), ...fields });
    expect(asked.path).toMatch(/^\/account\/confirm-password\?.*with=factor/);
  }
  const asked = await browser.get('/account/confirm-password?return_to=%2Faccount&with=factor');
  const page = await browser.submit(asked, '/account/confirm-code', { code: codeOf(secret) });
  const done = await browser.submit(page, '/account/email', { email: `new-${email}`, password });
  expect(done.path).toBe('/account?done=email-asked');
});

describe('recovery codes', () => {
  it('can be used once each, however they are typed', async () => {
    const { email, recoveryCodes } = await enrolled();
    const [first = ''] = recoveryCodes;
    expect(first).toMatch(/^([a-z2-9]{4}-){6}[a-z2-9]{4}$/);
    const one = await firstStep(email);
    const typed = first.toUpperCase().replaceAll('-', ' ');
    expect((await one.browser.submit(one.page, codePath, { code: typed })).path).toBe('/account');
    const two = await firstStep(email);
    expect((await two.browser.submit(two.page, codePath, { code: first })).status).toBe(403);
  });

  it('are renewed with the password, which invalidates the earlier ones', async () => {
    const { email, browser, recoveryCodes } = await enrolled();
    const asked = await browser.get('/account/security/recovery-codes');
    expect((await browser.submit(asked, '/account/security/recovery-codes', { password: 'no' })).status).toBe(403);
    const fresh = codesIn(await browser.submit(asked, '/account/security/recovery-codes', { password }));
    const again = await browser.submit(asked, '/account/security/recovery-codes', { password });
    expect([again.status, codesIn(again), again.text.includes('already sent')]).toEqual([409, [], true]);
    expect(fresh).toHaveLength(10);
    const { browser: other, page } = await firstStep(email);
    const refused = await other.submit(page, codePath, { code: recoveryCodes[0] as string });
    expect(refused.status).toBe(403);
    expect((await other.submit(refused, codePath, { code: fresh[0] as string })).path).toBe('/account');
  });
});

describe("an operator's enrollment", () => {
  it('returns the secret and recovery codes, and is rejected if there is one already', async () => {
    const { userId, email } = await person();
    const factors = service.app.get(SecondFactorsService);
    const { secret, recoveryCodes, ...rest } = await factors.enrollTotp(userId);
    expect(rest).toEqual({ userId });
    expect(recoveryCodes).toHaveLength(10);
    await expect(factors.enrollTotp(userId)).rejects.toMatchObject({ status: 409 });
    const { browser, page } = await firstStep(email);
    expect((await browser.submit(page, codePath, { code: codeOf(secret) })).path).toBe('/account');
  });
});

describe('the database', () => {
  it('contains no secret of a session or factor in plain text', async () => {
    const { browser, secret, recoveryCodes } = await enrolled();
    const dump = await dumpOf(service.database.url);
    expect(dump).toContain('person1@tests.example');
    for (const text of [secret, browser.cookies.get('session') as string, ...recoveryCodes]) {
      expect(dump).not.toContain(text);
      expect(dump).not.toContain(Buffer.from(text).toString('hex'));
    }
  });
});
