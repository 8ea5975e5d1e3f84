import { setTimeout as wait } from 'node:timers/promises';
import { SystemDatabase } from '#system-database';
import { MailService } from '../../../src/platform/mail/mail.service.js';
import { freshOrganization } from '../../support/behind-the-api.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { until } from '../../support/feed.js';
import { roleNamed } from '../../support/people.js';
import { SmtpServer } from '../../support/smtp.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let smtp: SmtpServer;
beforeAll(async () => {
  smtp = await SmtpServer.start();
  service = await startApp({ SMTP_URL: smtp.url });
});
beforeEach(() => (smtp.letters.length = 0));
afterEach(() => clock.restore());
afterAll(async () => {
  await service.close();
  await smtp.stop();
});

const database = () => service.app.get(SystemDatabase);

const queue = (to: string, text = 'Hello') =>
  database().transaction(() => service.app.get(MailService).queue({ to, subject: 'A test', text }));

/** The mail in the outbox after an attempt, when it is no longer in the given states. */
async function settled(to: string, ...passing: string[]) {
  for (let tries = 0; tries < 200; tries += 1) {
    const [row] = await database().rows('select status, attempts, body from mails where recipient = $1', [to]);
    if (row && row.attempts !== 0 && !['sending', ...passing].includes(row.status as string)) return row;
    await wait(25);
  }
  throw new Error(`The mail to ${to} was not settled`);
}

describe('mail', () => {
  it('is sent to the SMTP server, and its text is deleted', async () => {
    await queue('a@tests.example', 'A secret link');
    expect(await settled('a@tests.example', 'waiting')).toEqual({ status: 'sent', attempts: 1, body: null });
    expect(smtp.letters).toHaveLength(1);
    expect(smtp.letters[0]).toContain('A secret link');
    expect(smtp.letters[0]).toMatch(/^Message-ID: <[0-9a-f]{32}@/m);
  });

  it('is retried later if the server rejects it temporarily, with the same Message-ID', async () => {
    smtp.manner = 451;
    await queue('b@tests.example');
    expect((await settled('b@tests.example')).status).toBe('waiting');
    smtp.manner = 'accept';
    // The other mail's turn comes, and this one's does not.
    await queue('later@tests.example');
    await settled('later@tests.example', 'waiting');
    expect((await settled('b@tests.example')).status).toBe('waiting');
    clock.advance(31_000);
    expect(await settled('b@tests.example', 'waiting')).toMatchObject({ status: 'sent', attempts: 2 });
    expect(smtp.letters).toHaveLength(2);
  });

  it('is abandoned if the server rejects it permanently', async () => {
    smtp.manner = 550;
    await queue('c@tests.example');
    expect(await settled('c@tests.example', 'waiting')).toEqual({ status: 'failed', attempts: 1, body: null });
    smtp.manner = 'accept';
  });

  it('is not sent again if the connection was lost after the text: the result is unknown', async () => {
    smtp.manner = 'hang-up';
    await queue('d@tests.example');
    expect((await settled('d@tests.example', 'waiting')).status).toBe('unknown');
    smtp.manner = 'accept';
    clock.advance(24 * 3_600_000);
    await queue('e@tests.example');
    await settled('e@tests.example', 'waiting');
    expect(smtp.letters.filter((letter) => letter.includes('d@tests.example'))).toHaveLength(1);
  });

  it('whose process ended while it was being sent is not sent again', async () => {
    smtp.manner = 451;
    await queue('f@tests.example');
    await settled('f@tests.example');
    smtp.manner = 'accept';
    await database().rows(`update mails set status = 'sending' where recipient = 'f@tests.example'`);
    clock.advance(25 * 3_600_000);
    await queue('g@tests.example');
    await settled('g@tests.example', 'waiting');
    expect((await settled('f@tests.example')).status).toBe('unknown');
    expect(smtp.letters.some((letter) => letter.includes('f@tests.example'))).toBe(false);
  });
});

describe('mail of organizations', () => {
  const recipients = () => smtp.letters.map((letter) => /^To: (\S+)@/m.exec(letter)?.[1]);
  const inviteAll = async ({ api }: Service, emails: string[]) => {
    const roleId = await roleNamed({ ...service, api }, 'viewer');
    for (const email of emails) expect((await api.post('/members', { email, roleId })).status).toBe(201);
  };
  const names = (prefix: string) => Array.from({ length: 5 }, (_, n) => `${prefix}-${n}@tests.example`);
  const came = (email: string) =>
    until(
      () => Promise.resolve(recipients()),
      (all) => all.includes(email),
    );

  it('does not delay password resets, and organizations take turns', async () => {
    const [flooding, quiet] = [await freshOrganization(service), await freshOrganization(service)];
    smtp.held = 'flood-';
    await inviteAll(flooding, names('flood'));
    await came('flood-0');
    const browser = new Browser(service.url);
    await browser.submit(await browser.get('/forgot-password'), '/forgot-password', { email: owner.email });
    await came(owner.email.split('@')[0] as string);
    expect(recipients()).toEqual(['flood-0', 'owner']);

    await inviteAll(quiet, ['quiet@tests.example']);
    smtp.release();
    await came('flood-4');
    expect(recipients()).toEqual(['flood-0', 'owner', 'quiet', 'flood-1', 'flood-2', 'flood-3', 'flood-4']);
  });
});
