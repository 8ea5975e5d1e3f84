import { type Attempt, AttemptsService } from '../../../src/accounts/attempts.service.js';
import { Browser } from '../../support/browser.js';
import { clock } from '../../support/clock.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp({ TRUSTED_PROXIES: '1' });
});
afterEach(() => clock.restore());
afterAll(() => service.close());

/** Each attempt from another address, so that only the account counts. */
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
  it('of an account cost a wait, told in the page and in Retry-After, that grows and ends', async () => {
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

  it('are counted the same for an address without an account', async () => {
    clock.set('2026-03-03T12:00:00Z');
    expect((await failUntilRefused('nobody@tests.example')).tries).toBe(6);
  });

  it('of one address are slowed down across accounts, whatever the rest of an IPv6 network is', async () => {
    clock.set('2026-03-04T12:00:00Z');
    const statuses = [];
    for (let tries = 0; tries < 32; tries += 1) {
      statuses.push((await attempt(`user${tries}@tests.example`, 'wrong', `2001:db8:1:2::${tries}`)).status);
    }
    expect(statuses.indexOf(429)).toBe(30);
  });

  it('that come at the same time are counted one by one', async () => {
    clock.set('2026-03-05T12:00:00Z');
    const pages = await Promise.all(
      Array.from({ length: 12 }, (_, index) => attempt('parallel@tests.example', 'wrong', `192.0.2.${100 + index}`)),
    );
    expect(pages.filter(({ status }) => status === 403)).toHaveLength(5);
  });

  it('may begin while another one succeeds', async () => {
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
