import { type Attempt, AttemptsService } from '../../../src/auth/accounts/attempts.service.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { codeOf, enrol } from '../../support/authenticator.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp({ TRUSTED_PROXIES: '1' });
});
afterEach(() => clock.restore());
afterAll(() => service.close());

/** Each attempt comes from another address, so that only the account counts. */
async function attempt(email: string, password: string, ip: string) {
  const browser = new Browser(service.url);
  const page = await browser.get('/sign-in');
  return await browser.submit(page, '/sign-in', { email, password }, { 'x-forwarded-for': ip });
}

async function failUntilRefused(email: string) {
  for (let tries = 1; tries <= 20; tries += 1) {
    const page = await attempt(email, 'wrong', `198.51.100.${tries}`);
    if (page.status === 429) return { tries, page };
  }
  throw new Error('Nothing was refused');
}

describe('failed sign-ins', () => {
  it('of an account cause a growing wait that the page and Retry-After show, and that ends', async () => {
    clock.set('2026-03-01T12:00:00Z');
    const { tries, page } = await failUntilRefused(owner.email);
    expect(tries).toBe(6);
    expect(page.headers.get('retry-after')).toBe('1');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.text).toContain('Try again in 1 second.');
    expect((await attempt(owner.email, owner.password, '203.0.113.1')).status).toBe(429);

    clock.advance(1_000);
    expect((await attempt(owner.email, 'wrong', '203.0.113.1')).status).toBe(403);
    expect((await attempt(owner.email, 'wrong', '203.0.113.1')).headers.get('retry-after')).toBe('2');

    clock.advance(2_000);
    expect((await attempt(owner.email, owner.password, '203.0.113.1')).path).toBe('/account');
    expect((await attempt(owner.email, 'wrong', '203.0.113.1')).status).toBe(403);
  });

  it('never lock an account for longer than a minute', async () => {
    clock.set('2026-03-02T12:00:00Z');
    for (let tries = 0; tries < 25; tries += 1) {
      await attempt(owner.email, 'wrong', `192.0.2.${tries}`);
      clock.advance(60_000);
    }
    expect((await attempt(owner.email, owner.password, '203.0.113.2')).path).toBe('/account');
  });

  it('count the same for an address without an account', async () => {
    clock.set('2026-03-03T12:00:00Z');
    expect((await failUntilRefused('nobody@tests.example')).tries).toBe(6);
  });

  it('from one address are slowed down across accounts, for the whole /64 of an IPv6 address', async () => {
    clock.set('2026-03-04T12:00:00Z');
    const statuses = [];
    for (let tries = 0; tries < 32; tries += 1) {
      statuses.push((await attempt(`user${tries}@tests.example`, 'wrong', `2001:db8:1:2::${tries}`)).status);
    }
    expect(statuses.indexOf(429)).toBe(30);
  });

  it('that arrive at the same time are counted one by one', async () => {
    clock.set('2026-03-05T12:00:00Z');
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => attempt('parallel@tests.example', 'wrong', `192.0.2.${100 + index}`)),
    );
    expect(pages.filter(({ status }) => status === 403)).toHaveLength(5);
  });

  it('can start while another one succeeds', async () => {
    const attempts = service.app.get(AttemptsService);
    const both: Attempt[] = [
      ['code', 'someone'],
      ['ip', '192.0.2.250'],
    ];
    const oneAfterAnother = async () => {
      for (let tries = 0; tries < 30; tries += 1) {
        await attempts.begin(both);
        await attempts.succeeded(both);
      }
    };
    await expect(Promise.all([1, 2, 3].map(oneAfterAnother))).resolves.toHaveLength(3);
  });
});

describe('a device on which a person has signed in before', () => {
  let tests = 0;
  let ip: string;
  let from: Record<string, string>;
  // Each test uses its own address, because one may set the clock back and so bring back another's failures.
  beforeEach(() => {
    tests += 1;
    ip = `203.0.113.${tests + 100}`;
    from = { 'x-forwarded-for': ip };
  });
  const password = 'a long enough password';

  async function person(email: string): Promise<Browser> {
    await service.app.get(UsersService).create({ email, name: 'Maria', password });
    const browser = new Browser(service.url);
    await signIn(browser, email, password);
    return browser;
  }
  const signIn = async (browser: Browser, email: string, given: string) =>
    await browser.submit(await browser.get('/sign-in', from), '/sign-in', { email, password: given }, from);
  /** Another browser with the cookie, but without a session. */
  function withDeviceOf(browser: Browser): Browser {
    const other = new Browser(service.url);
    other.cookies.set('device', browser.cookies.get('device') as string);
    return other;
  }
  /** Wrong passwords from elsewhere and from the same address, until both are blocked. */
  async function besiege(email: string): Promise<void> {
    await failUntilRefused(email);
    for (let tries = 0; tries < 31; tries += 1) await attempt(`other${tries}-${email}`, 'wrong', ip);
    expect((await attempt(email, password, ip)).status).toBe(429);
  }

  it('lets its person in while wrong passwords from elsewhere use up the shared budget', async () => {
    clock.set('2026-04-01T12:00:00Z');
    const browser = await person('known@tests.example');
    await besiege('known@tests.example');
    expect((await signIn(browser, 'known@tests.example', password)).path).toBe('/account');
  });

  it('has its own budget of guesses, for one person, and signs nobody in without a password', async () => {
    clock.set('2026-04-02T12:00:00Z');
    const thief = withDeviceOf(await person('robbed@tests.example'));
    expect((await thief.get('/account', from)).path).toContain('/sign-in');
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await signIn(thief, 'robbed@tests.example', 'no')).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
    expect((await attempt('robbed@tests.example', password, ip)).path).toBe('/account');
    await person('neighbour@tests.example');
    await besiege('neighbour@tests.example');
    expect((await signIn(thief, 'neighbour@tests.example', password)).status).toBe(429);
  });

  it('is still known just before 180 days have passed', async () => {
    clock.set('2026-04-04T12:00:00Z');
    const email = 'spring@tests.example';
    const browser = await person(email);
    clock.advance(180 * 86_400_000 - 60_000);
    await besiege(email);
    expect((await signIn(browser, email, password)).path).toBe('/account');
  });

  it.each([
    ['for 180 days after a sign-in', () => clock.advance(180 * 86_400_000)],
    [
      'until the password changes',
      async (browser: Browser) => {
        const page = await browser.get('/account/security', from);
        const fields = { current_password: password, new_password: `${password}!` };
        await browser.submit(page, '/account/security/password', fields, from);
      },
    ],
  ])('is known %s', async (name, later) => {
    clock.set('2026-04-03T12:00:00Z');
    const email = `${name.length}@tests.example`;
    const browser = await person(email);
    const old = withDeviceOf(browser);
    await later(browser);
    await besiege(email);
    expect((await signIn(old, email, password)).status).toBe(429);
  });

  it('reaches its second factor while others guess codes elsewhere', async () => {
    clock.set('2026-04-05T12:00:00Z');
    const email = 'factor@tests.example';
    const browser = await person(email);
    const { secret } = await enrol(browser);
    clock.advance(60_000);
    const half = new Browser(service.url);
    const page = await signIn(half, email, password);
    const action = '/sign-in/code?return_to=%2Faccount';
    const guesses = [];
    for (let tries = 0; tries < 6; tries += 1) {
      const elsewhere = { 'x-forwarded-for': `192.0.2.${tries}` };
      guesses.push((await half.submit(page, action, { code: `no${tries}` }, elsewhere)).status);
    }
    expect(guesses.at(-1)).toBe(429);
    const mine = await signIn(browser, email, password);
    expect((await browser.submit(mine, action, { code: codeOf(secret) }, from)).path).toBe('/account');
  });

  it('has no budget for guessing codes if the password was enough to sign in there', async () => {
    clock.set('2026-04-06T12:00:00Z');
    const email = 'stolen@tests.example';
    const thieves = [await person(email)];
    for (let more = 0; more < 2; more += 1) {
      const thief = new Browser(service.url);
      await signIn(thief, email, password);
      thieves.push(thief);
    }
    await enrol(thieves.pop() as Browser);
    clock.advance(60_000);
    const statuses = [];
    for (const thief of thieves) {
      const half = withDeviceOf(thief);
      const page = await signIn(half, email, password);
      for (let tries = 0; tries < 5; tries += 1)
        statuses.push((await half.submit(page, '/sign-in/code?return_to=%2Faccount', { code: `no${tries}` })).status);
    }
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429, 429, 429, 429, 429]);
  });
});
