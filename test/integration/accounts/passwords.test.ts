import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import type { Request } from 'express';
import pg from 'pg';
import { PasswordChangesService } from '../../../src/auth/accounts/password-changes.service.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { Jobs } from '#jobs';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { dumpOf } from '../../support/dump.js';
import { Mailbox } from '../../support/mailbox.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await startApp();
  mailbox = new Mailbox(service.config.dataDir);
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const password = 'correct horse battery staple';
const better = 'an even better passphrase';

let people = 0;
async function person(): Promise<{ email: string; browser: Browser }> {
  people += 1;
  const email = `person${people}@tests.example`;
  await service.app.get(UsersService).create({ email, name: 'Maria', password });
  const browser = new Browser(service.url);
  await browser.signIn(email, password);
  return { email, browser };
}

const ask = async (email: string) => {
  const browser = new Browser(service.url);
  return await browser.submit(await browser.get('/forgot-password'), '/forgot-password', { email });
};

const askForAddress = async (browser: Browser, email: string) =>
  await browser.submit(await browser.get('/account'), '/account/email', { email, password });

describe('changing a password', () => {
  it('requires the current one, ends the other sessions and gives this one a new cookie', async () => {
    const { email, browser } = await person();
    const other = new Browser(service.url);
    await other.signIn(email, password);
    const before = browser.cookies.get('session');
    const page = await browser.get('/account/security');
    const wrong = await browser.submit(page, '/account/security/password', {
      current_password: 'not it at all',
      new_password: better,
    });
    expect(wrong.text).toContain('The current password is incorrect.');
    const done = await browser.submit(page, '/account/security/password', {
      current_password: password,
      new_password: better,
    });
    expect(done.text).toContain('Your password was changed.');
    expect(browser.cookies.get('session')).not.toBe(before);
    expect((await other.get('/account')).path).toContain('/sign-in');
    expect((await new Browser(service.url).signIn(email, password)).status).toBe(403);
    expect((await new Browser(service.url).signIn(email, better)).path).toBe('/account');
    expect(await mailbox.latest(email, /password was changed/)).toContain('all other sessions were ended');
  });

  it('invalidates the links that were mailed before', async () => {
    const { email, browser } = await person();
    await ask(email);
    await askForAddress(browser, `new-${email}`);
    const links = [await mailbox.link(email, /new password/), await mailbox.link(`new-${email}`, /Confirm/)];
    await browser.submit(await browser.get('/account/security'), '/account/security/password', {
      current_password: password,
      new_password: better,
    });
    for (const link of links) expect((await browser.get(link)).status).toBe(404);
  });

  it('rejects a short password and the address itself', async () => {
    const { email, browser } = await person();
    const page = await browser.get('/account/security');
    for (const [chosen, sentence] of [
      ['short', 'Choose a password of 10 to 256 characters.'],
      [email, 'Choose a password other than your email address.'],
    ] as const) {
      const fields = { current_password: password, new_password: chosen };
      expect((await browser.submit(page, '/account/security/password', fields)).text).toContain(sentence);
    }
    expect((await new Browser(service.url).signIn(email, password)).path).toBe('/account');
  });
});

describe('a forgotten password', () => {
  it('is reset once by a mailed link, which ends every session', async () => {
    const { email, browser } = await person();
    await ask(email);
    const link = await mailbox.link(email, /new password/);
    const stranger = new Browser(service.url);
    const page = await stranger.get(link);
    expect(page.text).toContain('Set a new password');
    const short = await stranger.submit(page, '/reset-password', { new_password: 'short' });
    expect(short.text).toContain('10 to 256 characters');
    const done = await stranger.submit(short, '/reset-password', { new_password: better });
    expect(done.path).toBe('/sign-in?done=password');
    expect((await browser.get('/account')).path).toContain('/sign-in');
    expect((await new Browser(service.url).signIn(email, better)).path).toBe('/account');
    expect((await stranger.get(link)).status).toBe(404);
    expect((await stranger.submit(page, '/reset-password', { new_password: password })).status).toBe(404);
  });

  it('cancels a pending letter that somebody else may have requested', async () => {
    const { email, browser } = await person();
    await ask(email);
    const page = await browser.get(await mailbox.link(email, /new password/));
    const database = new pg.Client({ connectionString: service.database.url });
    await database.connect();
    await database.query(
      `insert into mails (id, author, reference, status, attempts, created_at, due_at)
       values (gen_random_uuid(), 'password-reset', $1, 'waiting', 0, now(), now() + interval '1 day')`,
      [email],
    );
    await browser.submit(page, '/reset-password', { new_password: better });
    const { rows } = await database.query('select status from mails where reference = $1 order by due_at', [email]);
    await database.end();
    expect(rows).toEqual([{ status: 'sent' }, { status: 'failed' }]);
  });

  it('cancels a change of address that somebody else may have requested', async () => {
    const { email, browser } = await person();
    await askForAddress(browser, `new-${email}`);
    const change = await mailbox.link(`new-${email}`, /Confirm/);
    await ask(email);
    const page = await browser.get(await mailbox.link(email, /new password/));
    await browser.submit(page, '/reset-password', { new_password: better });
    expect((await browser.get(change)).status).toBe(404);
  });

  it('gets the same response whether there is an account or not, and mail only if there is one', async () => {
    const { email } = await person();
    const [known, unknown] = [await ask(email), await ask('stranger@tests.example')];
    expect(known.status).toBe(200);
    expect(known.text).toBe(unknown.text);
    await mailbox.latest(email, /new password/);
    expect(mailbox.all('stranger@tests.example')).toEqual([]);
  });

  it('runs the same statements whether there is an account or not', async () => {
    const { email } = await person();
    const asking = new AsyncLocalStorage<{ count: number }>();
    const client = pg.Client.prototype as { query: (...sent: unknown[]) => unknown };
    const { query } = client;
    const sent = jest.spyOn(client, 'query').mockImplementation(function (this: unknown, ...what) {
      const counted = asking.getStore();
      if (counted) counted.count += 1;
      return query.apply(this, what);
    });
    // Background work is not part of the response.
    const wake = jest.spyOn(service.app.get(Jobs), 'wake').mockImplementation(() => undefined);
    const request = { ip: '192.0.2.1' } as Request;
    const statements = async (to: string): Promise<number> => {
      const counted = { count: 0 };
      await asking.run(counted, () => service.app.get(PasswordChangesService).requestReset(request, to));
      return counted.count;
    };
    const [known, unknown] = [await statements(email), await statements('nobody@tests.example')];
    expect(known).toBeGreaterThan(0);
    expect(known).toBe(unknown);
    sent.mockRestore();
    wake.mockRestore();
  });

  it('has a link that works for an hour', async () => {
    const { email } = await person();
    clock.set('2026-03-01T12:00:00Z');
    await ask(email);
    const link = await mailbox.link(email, /new password/);
    clock.advance(59 * 60_000);
    expect((await new Browser(service.url).get(link)).status).toBe(200);
    clock.advance(2 * 60_000);
    expect((await new Browser(service.url).get(link)).status).toBe(404);
  });

  it('can be requested only a few times in a row', async () => {
    const statuses = [];
    for (let tries = 0; tries < 4; tries += 1) statuses.push((await ask('many@tests.example')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });

  it('leaves no link in the database, neither before nor after the mail is sent', async () => {
    const { email } = await person();
    await ask(email);
    const link = await mailbox.link(email, /new password/);
    const dump = await dumpOf(service.database.url);
    expect(dump).toContain(email);
    expect(dump).not.toContain(link.split('token=')[1]);
  });
});

describe('sessions', () => {
  it('are listed, and ended one by one or all together', async () => {
    const { email, browser } = await person();
    const [phone, tablet] = [new Browser(service.url), new Browser(service.url)];
    await phone.signIn(email, password);
    await tablet.signIn(email, password);
    const page = await browser.get('/account/security');
    expect(page.text).toContain('This browser');
    const done = await browser.submit(page, '/account/security/sessions/end');
    expect(done.text).toContain('The session was ended.');
    const left = [await phone.get('/account'), await tablet.get('/account')].filter(({ path }) => path === '/account');
    expect(left).toHaveLength(1);
    expect((await browser.submit(done, '/account/security/sessions/end-all')).path).toBe('/sign-in');
    for (const each of [browser, phone, tablet]) expect((await each.get('/account')).path).toContain('/sign-in');
  });

  it('can be ended only after a password confirmation within the last ten minutes', async () => {
    const { email, browser } = await person();
    const other = new Browser(service.url);
    await other.signIn(email, password);
    const page = await browser.get('/account/security');
    clock.advance(11 * 60_000);
    for (const which of ['end', 'end-all']) {
      const asked = await browser.submit(page, `/account/security/sessions/${which}`);
      expect(asked.path).toBe('/account/confirm-password?return_to=%2Fresume');
    }
    expect((await other.get('/account')).path).toBe('/account');
    const asked = await browser.submit(page, '/account/security/sessions/end-all');
    const kept = await browser.submit(asked, '/account/confirm-password', { password });
    await browser.submit(kept, '/account/security/sessions/end-all');
    expect((await other.get('/account')).path).toContain('/sign-in');
  });

  it('of someone else cannot be ended', async () => {
    const [maria, mallory] = [await person(), await person()];
    const other = new Browser(service.url);
    await other.signIn(maria.email, password);
    const id = /name="session_id" value="(\w+)"/.exec((await maria.browser.get('/account/security')).html)?.[1];
    const page = await mallory.browser.get('/account/security');
    const token = /form_token" value="([^"]+)"/.exec(page.html)?.[1] as string;
    await mallory.browser.post('/account/security/sessions/end', { form_token: token, session_id: id as string });
    expect((await other.get('/account')).path).toBe('/account');
  });
});
