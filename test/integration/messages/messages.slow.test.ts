import { SystemDatabase } from '#system-database';
import { TenantDatabase, uuidIn } from '#persistence';
import { MessagesService, type SendFromTemplate } from '../../../src/outside/messages/messages.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { RetentionService } from '../../../src/processes/retention/retention.service.js';
import type { Api, Json } from '../../support/api.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { until } from '../../support/feed.js';
import { absentId, keyWith, type MadeKey, propertyOf, stayOf } from '../../support/factories.js';
import { performDue } from '../../support/jobs.js';
import { SmtpServer } from '../../support/smtp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let smtp: SmtpServer;
let own: MadeKey;
let api: Api;
let orgId: string;
let memberId: string;
let templateId: string;
let marketingId: string;
beforeAll(async () => {
  smtp = await SmtpServer.start();
  service = await startApp({ SMTP_URL: smtp.url });
  own = await keyWith(service.api);
  api = own.api;
  const me = (await api.get('/me')).body.data;
  [orgId, memberId] = [me.organization.id, me.member.id];
  templateId = await publishedTemplate({});
  const body = '<p>Come again, {{ guest.name }}</p><a href="{{ unsubscribeUrl }}">No more</a>';
  marketingId = await publishedTemplate({ category: 'marketing', body });
});
beforeEach(() => {
  smtp.letters.length = 0;
  smtp.manner = 'accept';
});
afterEach(() => clock.restore());
afterAll(async () => {
  await service.close();
  await smtp.stop();
});

async function publishedTemplate(wishes: object): Promise<string> {
  const { body } = await api.post('/email-templates', {
    name: 'Welcome',
    subject: 'Welcome, {{ guest.name }}',
    body: '<p>Dear {{ guest.name }}, {{ property.name }} is yours from {{ reservation.checkInDate }} on.</p>',
    variables: ['guest.name', 'property.name', 'reservation.checkInDate'].map((key) => ({
      key,
      type: 'text',
      required: false,
    })),
    ...wishes,
  });
  const { status, text } = await api.post(`/email-templates/${body.data.id}/publish`);
  if (status !== 200) throw new Error(text);
  return body.data.id as string;
}

let people = 0;
async function guestOf(wishes: object = {}): Promise<{ id: string; email: string }> {
  const email = `guest-${(people += 1)}@tests.example`;
  const { body } = await api.post('/guests', { name: 'Quentin Oak', email, ...wishes });
  return { id: body.data.id, email };
}

const database = () => service.app.get(TenantDatabase);
/** Sends as a workflow does: in a transaction of its own. */
const send = (guestId: string, wishes: Partial<SendFromTemplate> = {}, propertyIds: string[] | null = null) =>
  database().transaction(orgId, () =>
    service.app
      .get(MessagesService)
      .send(
        { ...operatorFor(orgId, memberId), propertyIds },
        { to: { guestId }, templateId, dedupeKey: `run ${guestId}`, ...wishes },
      ),
  );

const message = async (id: string): Promise<Json> => (await api.get(`/messages/${id}`)).body.data;
const ended = (id: string): Promise<Json> =>
  until(
    () => message(id),
    ({ status }) => !['queued', 'sending'].includes(status as string),
  );
/** The mail server has responded once, and the message waits for the next attempt. */
const putOff = (id: string): Promise<Json> =>
  until(
    () => message(id),
    ({ status, reason }) => status === 'queued' && reason !== null,
  );
const lettersTo = (email: string): string[] => smtp.letters.filter((letter) => letter.includes(`To: ${email}`));

describe('a message', () => {
  it('is written when it is sent, from the guest and the stay, and then keeps no data of them', async () => {
    const { id, email } = await guestOf();
    const propertyId = await propertyOf(api, 'Mill');
    const stay = await stayOf(api, { propertyId, primaryGuest: { id } });
    const { id: messageId } = await send(id, { reservationId: stay.id });
    const sent = await ended(messageId);
    expect(sent).toMatchObject({ status: 'sent', guestId: id, reservationId: stay.id, propertyId, templateVersion: 1 });
    expect(sent.sentAt).not.toBeNull();
    const [letter] = lettersTo(email) as [string];
    expect(letter).toContain('Subject: Welcome, Quentin Oak');
    expect(letter).toContain('Dear Quentin Oak, Mill is yours from 2030-07-01 on.');
    const rows = await service.app.get(SystemDatabase).rows(
      `select to_jsonb(m) || coalesce(to_jsonb(c), '{}') as row from messages m
          left join message_contents c on c.message_id = m.id
        union all select to_jsonb(mails) from mails`,
    );
    expect(JSON.stringify(rows)).not.toMatch(/Quentin|tests\.example|sealed/);
  });

  it('is sent once, however often its cause is retried, and never if that fails', async () => {
    const { id, email } = await guestOf();
    const tried = await Promise.all([send(id), send(id), send(id)]);
    expect(new Set(tried.map((one) => one.id)).size).toBe(1);
    await ended((await send(id)).id);
    expect(lettersTo(email)).toHaveLength(1);

    const other = await guestOf();
    await expect(
      database().transaction(orgId, async () => {
        await send(other.id);
        throw new Error('The step failed');
      }),
    ).rejects.toThrow('The step failed');
    await ended((await send((await guestOf()).id)).id);
    expect(lettersTo(other.email)).toEqual([]);
  });

  it('waits for a server that is busy, and is sent then', async () => {
    const { id, email } = await guestOf();
    smtp.manner = 451;
    const { id: messageId } = await send(id);
    await putOff(messageId);
    smtp.manner = 'accept';
    clock.advance(31_000);
    expect((await ended(messageId)).status).toBe('sent');
    expect(lettersTo(email)).toHaveLength(1);
  });

  it('is not sent again if the connection broke after the server had it', async () => {
    const { id, email } = await guestOf();
    smtp.manner = 'hang-up';
    const { id: messageId } = await send(id);
    expect((await ended(messageId)).status).toBe('unknown');
    smtp.manner = 'accept';
    clock.advance(24 * 3_600_000);
    await ended((await send((await guestOf()).id)).id);
    expect(lettersTo(email)).toHaveLength(1);
  });

  it("fails without an address, and shows the server's reply without the address", async () => {
    const { id: messageId } = await send((await guestOf({ email: null })).id);
    expect(await ended(messageId)).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no email address'),
    });
    smtp.manner = 550;
    const { id, email } = await guestOf();
    const refused = await ended((await send(id)).id);
    expect([refused.status, refused.reason]).toEqual(['failed', expect.stringContaining('550')]);
    expect(refused.reason).not.toContain(email);
  });

  it('whose guest is erased before it is sent is not sent, and its log names nobody', async () => {
    const { id, email } = await guestOf();
    smtp.manner = 451;
    const { id: messageId } = await send(id);
    await putOff(messageId);
    expect((await api.delete(`/guests/${id}`)).status).toBe(200);
    const contents = 'select 1 from message_contents where message_id = $1';
    const uuid = messageId.slice('message_'.length);
    expect(await service.app.get(SystemDatabase).rows(contents, [uuid])).toEqual([]);
    smtp.manner = 'accept';
    clock.advance(31_000);
    expect(await ended(messageId)).toMatchObject({ status: 'failed', guestId: null });
    expect(lettersTo(email)).toEqual([]);
  });

  it('requires a published template, and a guest and a stay that the caller can see', async () => {
    const { id } = await guestOf();
    const draft = await api.post('/email-templates', { name: 'x', subject: 'x', body: 'x' });
    await expect(send(id, { templateId: draft.body.data.id as string })).rejects.toMatchObject({
      code: 'TEMPLATE_NOT_PUBLISHED',
    });
    await expect(send(absentId('guest'))).rejects.toMatchObject({ status: 404 });
    await expect(send(id, { reservationId: absentId('reservation') })).rejects.toMatchObject({ status: 404 });
    await expect(send(id, { templateId: absentId('template') })).rejects.toMatchObject({ status: 404 });
  });

  it('of a limited caller is to guests there, about stays there', async () => {
    const { id } = await guestOf();
    const here = await propertyOf(api, 'Here');
    const stays = { primaryGuest: { id }, checkInDate: '2030-08-01', checkOutDate: '2030-08-03' };
    const elsewhere = await stayOf(api, { ...stays, propertyId: await propertyOf(api, 'Elsewhere') });
    await expect(send(id, {}, [here])).rejects.toMatchObject({ status: 404 });
    const stay = await stayOf(api, { ...stays, propertyId: here });
    await expect(send(id, { reservationId: elsewhere.id }, [here])).rejects.toMatchObject({ status: 404 });
    expect(await send(id, { reservationId: stay.id }, [here])).toMatchObject({ status: 'queued', propertyId: here });
  });
});

describe('a guest who follows the link in a marketing message', () => {
  const linkIn = (letter: string): string =>
    new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(letter.replaceAll(/\r\n\s+/g, ' '))?.[1] as string).pathname;
  const open = (path: string, method = 'GET') => fetch(service.url + path, { method });

  it('gets no more of its kind, but every other message', async () => {
    const { id, email } = await guestOf();
    await ended((await send(id, { templateId: marketingId })).id);
    const [letter] = lettersTo(email) as [string];
    expect(letter).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const link = linkIn(letter);
    expect(letter.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')).toContain(`href="${service.url}${link}"`);

    // Scanners open links, which changes nothing.
    expect(await (await open(link)).text()).toContain('<button type="submit">Unsubscribe</button>');
    expect((await api.get(`/suppressions?email=${email}`)).body.data).toEqual([]);
    expect([(await open(link, 'POST')).status, (await open(link, 'POST')).status]).toEqual([200, 200]);
    const { data } = (await api.get(`/suppressions?email=${email.toUpperCase()}`)).body;
    expect(data).toMatchObject([{ covers: 'marketing', reason: 'unsubscribed' }]);

    const again = await ended((await send(id, { templateId: marketingId, dedupeKey: 'again' })).id);
    expect([again.status, lettersTo(email).length]).toEqual(['suppressed', 1]);
    expect((await ended((await send(id, { dedupeKey: 'stay' })).id)).status).toBe('sent');
  });

  it('gets no more at the address of the letter, even if it is stored nowhere else', async () => {
    const { id, email } = await guestOf();
    await ended((await send(id, { templateId: marketingId })).id);
    const link = linkIn(lettersTo(email)[0] as string);
    const moved = `moved-${email}`;
    expect((await api.patch(`/guests/${id}`, { email: moved })).status).toBe(200);
    clock.advance(91 * 24 * 3_600_000);
    await performDue(service.app.get(RetentionService));
    expect(
      await service.app.get(SystemDatabase).rows('select 1 from messages where guest_id = $1', [uuidIn(id)]),
    ).toEqual([]);
    expect((await open(link, 'POST')).status).toBe(200);
    clock.restore();
    const suppressed = async (address: string) => (await api.get(`/suppressions?email=${address}`)).body.data;
    expect(await suppressed(email)).toMatchObject([{ covers: 'marketing', reason: 'unsubscribed' }]);
    expect(await suppressed(moved)).toEqual([]);
  });

  it('needs a valid link', async () => {
    const { id, email } = await guestOf();
    await ended((await send(id, { templateId: marketingId, dedupeKey: email })).id);
    const link = linkIn(lettersTo(email)[0] as string);
    const changed = link.slice(0, -9) + (link.at(-9) === 'A' ? 'Q' : 'A') + link.slice(-8);
    expect([(await open(changed)).status, (await open(changed, 'POST')).status]).toEqual([404, 404]);
    expect((await open('/unsubscribe/x')).status).toBe(404);
    const sealed = Buffer.from(link.split('/').at(-1) as string, 'base64url').subarray(16);
    const elsewhere = (await (await anotherOrganization(service)).get('/me')).body.data.organization.id as string;
    const moved = Buffer.concat([Buffer.from(uuidIn(elsewhere), 'hex'), sealed]).toString('base64url');
    expect((await open(`/unsubscribe/${moved}`, 'POST')).status).toBe(404);
  });
});

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = own.key) => doors(service)[door].as(key).ask(operation, input);

  it('suppresses an address, in whatever notation, until that is lifted', async () => {
    const { id, email } = await guestOf();
    const { status, body } = await ask('addSuppression', { email: email.toUpperCase() });
    expect([status, body.data.covers, body.data.reason]).toEqual([201, 'all', 'manual']);
    expect(JSON.stringify(body)).not.toMatch(new RegExp(email, 'i'));
    const { id: suppressionId } = body.data;
    expect((await ask('listSuppressions', { email })).body.data).toEqual([body.data]);
    expect((await ask('listSuppressions', { email: 'other@tests.example' })).body.data).toEqual([]);
    const twice = (await ask('addSuppression', { email })).body.error;
    expect([twice.code, twice.details]).toEqual(['ALREADY_SUPPRESSED', { suppressionId }]);

    const kept = await ended((await send(id, { dedupeKey: `${door} kept` })).id);
    expect([kept.status, lettersTo(email)]).toEqual(['suppressed', []]);
    expect((await ask('removeSuppression', { suppressionId })).body.data).toEqual({ id: suppressionId, deleted: true });
    expect((await ask('removeSuppression', { suppressionId })).status).toBe(404);
    expect((await ended((await send(id, { dedupeKey: `${door} sent` })).id)).status).toBe('sent');
  });

  it('rejects an invalid address, and a limited key that would set or lift a suppression everywhere', async () => {
    expect(issuePaths(await ask('addSuppression', { email: 'nobody' }))).toEqual(['email']);
    const propertyId = await propertyOf(api);
    const { key } = await keyWith(api, { propertyIds: [propertyId] });
    const wishes = { email: `limited-${door}@tests.example` };
    expect((await ask('addSuppression', wishes, key)).status).toBe(403);
    const { body } = await ask('addSuppression', wishes);
    expect((await ask('removeSuppression', { suppressionId: body.data.id }, key)).status).toBe(403);
  });

  it('lists and shows messages by their subject, to those who may see it', async () => {
    const { id } = await guestOf();
    const propertyId = await propertyOf(api);
    const stay = await stayOf(api, { propertyId, primaryGuest: { id } });
    const about = await ended((await send(id, { dedupeKey: `${door} about`, reservationId: stay.id })).id);
    const alone = await ended((await send(id, { dedupeKey: `${door} alone` })).id);
    const list = async (input: object, key?: string) =>
      (await ask('listMessages', input, key)).body.data.map((one: Json) => one.id);
    expect(await list({ guestId: id })).toEqual([alone.id, about.id]);
    expect(await list({ reservationId: stay.id, templateId, status: 'sent' })).toEqual([about.id]);
    expect(await list({ guestId: id, status: 'failed' })).toEqual([]);
    expect((await ask('getMessage', { messageId: about.id })).body.data).toEqual(about);

    const { key } = await keyWith(api, { propertyIds: [propertyId] });
    expect(await list({}, key)).toEqual([about.id]);
    expect((await ask('getMessage', { messageId: alone.id }, key)).status).toBe(404);
    const stranger = await anotherOrganization(service);
    expect((await ask('getMessage', { messageId: about.id }, stranger.key)).status).toBe(404);
    expect(await list({}, stranger.key)).toEqual([]);
  });
});
