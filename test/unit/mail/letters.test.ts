import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WebhookEndpoint } from '../../../src/outside/webhooks/webhook-endpoint.entity.js';
import { permissionsLostMail } from '../../../src/outside/webhooks/webhook-mail.js';
import { leakedKeyMail } from '../../../src/auth/api-keys/leaked/leaked-key-mail.js';
import { passwordChangedMail, secondFactorAddedMail } from '../../../src/auth/accounts/account-mail.js';
import type { Config } from '../../../src/platform/config/app.config.js';
import { MailTransport } from '../../../src/platform/mail/mail-transport.js';
import { invitationMail } from '../../../src/tenancy/members/invitation-mail.js';

const dataDir = mkdtempSync(join(tmpdir(), 'letters-'));
const transport = new MailTransport({ dataDir, baseUrl: 'https://service.example' } as Config);
afterAll(() => rmSync(dataDir, { recursive: true }));

/** As it is delivered. */
async function delivered(letter: Omit<Parameters<MailTransport['send']>[0], 'id'>): Promise<string> {
  const id = `letter${readdirSync(dataDir).length}-${Math.random()}`;
  expect(await transport.send({ id, ...letter })).toEqual({ result: 'sent' });
  return readFileSync(join(dataDir, 'mail', `${id}.eml`), 'utf8');
}

/** The content of headers over several lines. */
const headersOf = (letter: string): string[] =>
  (letter.split('\r\n\r\n')[0] as string).replaceAll(/\r\n[ \t]/g, '').split('\r\n');

const hostile = 'https://evil.example/a\r\nBcc: x@evil.example\u2028\n\nSign in at evil。example';
const named = [{ name: hostile, organization: hostile }];

describe('text of tenants in a letter of the service', () => {
  it.each([
    ['an invitation', invitationMail('a@b.example', { organization: hostile, role: hostile, inviter: hostile }, '')],
    ['a leaked key', leakedKeyMail('a@b.example', { id: '1', name: hostile, prefix: 'sk' } as never)],
    [
      'a changed password',
      passwordChangedMail('a@b.example', { applications: named, keys: named, keptKeys: named } as never),
    ],
    ['a second factor', secondFactorAddedMail('a@b.example', named)],
    [
      'lost permissions',
      permissionsLostMail('a@b.example', { id: '1', url: hostile, missingScopes: [] } as unknown as WebhookEndpoint),
    ],
  ])('is quoted on one line without links, and not in the subject: %s', (_, { subject, text }) => {
    const lines = text.split(/[\r\n\u2028]/).filter((line) => line.includes('evil'));
    expect(lines).not.toEqual([]);
    for (const line of lines) expect(line).toMatch(/^> /);
    expect(text).not.toMatch(/evil[.。]|:\/\/|@evil/);
    expect(subject).not.toContain('evil');
  });
});

describe('the headers of a letter', () => {
  it('are those of the service, whatever a name, a subject and an address contain', async () => {
    const letter = await delivered({ to: 'guest@tests.example', fromName: hostile, subject: hostile, text: hostile });
    const headers = headersOf(letter);
    expect(headers.map((line) => line.split(':')[0]).toSorted()).toEqual([
      'Content-Transfer-Encoding',
      'Content-Type',
      'Date',
      'From',
      'MIME-Version',
      'Message-ID',
      'Subject',
      'To',
    ]);
    // Not encoded either, because a mail program may decode a line break and treat what follows as a header.
    expect(letter.split('\r\n\r\n')[0]).not.toMatch(/=0[AD]|=E2=80=A8/i);
    expect(headers.find((line) => line.startsWith('From'))).toMatch(/<no-reply@service\.example>$/);
  });

  it('name one recipient, whatever the address contains', async () => {
    for (const to of [
      'a@b.example, c@d.example',
      'a@b.example>\r\nRCPT TO:<z@z.example',
      '<a@b.example> c@d.example',
    ]) {
      const line = headersOf(await delivered({ to, subject: 'Hello', text: 'Hello' })).find((one) =>
        one.startsWith('To'),
      );
      expect(line).toMatch(/^To: <"[^"]+"@[a-z.]+>$/);
    }
  });

  it('are not ended by the content of a body', async () => {
    const letter = await delivered({
      to: 'a@b.example',
      subject: 'Hello',
      text: 'Hi\r\n.\r\nMAIL FROM:<x@evil.example>',
    });
    expect(headersOf(letter).filter((line) => line.startsWith('MAIL'))).toEqual([]);
  });
});
