import { TenantDatabase } from '#persistence';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { OrganizationMailSender } from '../../../src/platform/mail/mail-lanes.js';
import { MessagesService } from '../../../src/outside/messages/messages.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import type { Json } from '../../support/api.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { SmtpServer } from '../../support/smtp.js';
import { freePort, type Service, startApp } from '../../support/start-app.js';

/** `kill -9` of a service while it hands a message over, with others queued behind it. */
const dataDir = newDataDir();
const keyring = loadKeyring(dataDir);
let database: FreshDatabase;
let smtp: SmtpServer;
let child: ChildService | undefined;
let service: Service | undefined;
beforeAll(async () => {
  [database, smtp] = [await freshDatabase(), await SmtpServer.start()];
});
afterEach(() => clock.restore());
afterAll(async () => {
  await child?.kill('SIGKILL');
  await service?.close();
  await smtp.stop();
  await database.drop();
  removeDataDir(dataDir);
});

const emails = Array.from({ length: 5 }, (_, index) => `guest-${index}@tests.example`);

/**
 * Queues a message for each guest some minutes ago, while no server can be reached: they are due when a process starts.
 */
async function queueAll(): Promise<void> {
  clock.advance(-10 * 60_000);
  const { app, api, close } = await startApp(
    { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` },
    { database, keyring },
  );
  const { member, organization } = (await api.get('/me')).body.data;
  const template = await api.post('/email-templates', { name: 'Hi', subject: 'Hi', body: '<p>Hi</p>' });
  await api.post(`/email-templates/${template.body.data.id}/publish`);
  for (const email of emails) {
    const guest = await api.post('/guests', { name: 'A guest', email });
    const sending = { to: { guestId: guest.body.data.id }, templateId: template.body.data.id, dedupeKey: email };
    await app
      .get(TenantDatabase)
      .transaction(organization.id, () =>
        app.get(MessagesService).send(operatorFor(organization.id, member.id), sending),
      );
  }
  await close();
  clock.restore();
}

it('sends each guest one letter, and reports the message whose result is unknown', async () => {
  await queueAll();
  smtp.manner = 'say-nothing';
  const env = { DATABASE_URL: database.url, SMTP_URL: smtp.url };
  child = await startChild(dataDir, env);
  await until(
    () => Promise.resolve(smtp.letters.length),
    (count) => count === 1,
  );
  await child.kill('SIGKILL');
  child = undefined;

  smtp.manner = 'accept';
  clock.advance(11 * 60_000);
  service = await startApp(env, { database, keyring });
  // Without the queue, which waits a quarter of a minute for the dead process.
  await performDue(service.app.get(OrganizationMailSender));
  const all: Json[] = (await service.api.get('/messages')).body.data;
  expect(all.map(({ status }) => status as string).sort()).toEqual(['sent', 'sent', 'sent', 'sent', 'unknown']);
  const recipients = smtp.letters.map((letter) => /^To: (\S+)/m.exec(letter)?.[1]);
  expect(recipients.sort()).toEqual(emails);
}, 60_000);
