import { SystemDatabase } from '#system-database';
import { AccountExpiry } from '../../../src/accounts/account-expiry.js';
import { Browser } from '../../support/browser.js';
import { clock } from '../../support/clock.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const counts = async () => {
  const [row] = await service.app
    .get(SystemDatabase)
    .rows(`select (select count(*) from sessions) as sessions, (select count(*) from attempts) as attempts`);
  return row;
};

it('deletes what has expired, and nothing that has not', async () => {
  clock.set('2026-03-01T12:00:00Z');
  const browser = new Browser(service.url);
  await browser.signIn(owner.email, owner.password);
  await new Browser(service.url).signIn('nobody@tests.example', 'wrong');
  const before = await counts();
  clock.advance(11 * 3_600_000);
  await service.app.get(AccountExpiry).sweep();
  expect(await counts()).toEqual(before);
  expect((await browser.get('/account')).path).toBe('/account');
  clock.advance(25 * 3_600_000);
  await service.app.get(AccountExpiry).sweep();
  expect(await counts()).toEqual({ sessions: 0, attempts: 0 });
});
