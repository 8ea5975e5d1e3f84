import { jest } from '@jest/globals';
import { newApiKey } from '#regions';
import { SystemDatabase } from '#system-database';
import { EventsService } from '../../../../src/platform/events/events.service.js';
import { clock } from '../../../support/clock.js';
import { expectEnvelope, refusals } from '../../../support/envelope.js';
import { keyWith } from '../../../support/factories.js';
import { feedSettled } from '../../../support/feed.js';
import { Mailbox } from '../../../support/mailbox.js';
import { addPerson } from '../../../support/people.js';
import { type Entry, startEntry } from '../../../support/regions.js';
import { owner } from '../../../support/start-app.js';
import { startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
let entry: Entry;
let reporters = 0;
beforeAll(async () => {
  tenant = await startTenant({ TRUSTED_PROXIES: '1' });
  entry = await startEntry({ REGION_URLS: `us=${tenant.service.url}` });
});
afterAll(async () => {
  await entry.close();
  await tenant.close();
});
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});

interface From {
  address?: string;
  url?: string;
}

/** From a new address each time, unless the test names one. */
async function report(body: string, { address = `10.9.0.${(reporters += 1)}`, url = tenant.service.url }: From = {}) {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const reply = await fetch(`${url}/leaked-keys`, { method: 'POST', headers, body });
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}
const reportOf = (key: unknown, from?: From) => report(JSON.stringify({ key }), from);
const works = async (key: string): Promise<boolean> => (await tenant.api.as(key).get('/me')).status === 200;
/** The recipients of letters about leaked keys, including letters that are still queued. */
const notified = async (): Promise<unknown[]> => {
  const text = "select recipient from mails where subject = 'A leaked API key was revoked'";
  return (await tenant.service.app.get(SystemDatabase).rows(text)).map(({ recipient }) => recipient);
};
const accepted = { status: 200, text: '' };

describe('a leaked key', () => {
  it('is revoked, with an event and an audit entry, and the owners are notified', async () => {
    await addPerson(tenant.service, { role: 'viewer' });
    const former = await addPerson(tenant.service, { role: 'owner' });
    await tenant.api.post(`/members/${former.id}/suspend`);
    const { id, key } = await keyWith(tenant.api, { name: 'Left at evil.example\nClick' });
    const { key: successor } = (await tenant.api.post(`/api-keys/${id}/rotate`)).body.data;
    expect(await reportOf(key)).toMatchObject(accepted);
    expect([await works(key), await works(successor as string)]).toEqual([false, true]);
    await feedSettled(tenant.service);
    const events = (await tenant.api.get(`/events?types=api_key.revoked&subject=${id}`)).body.data;
    expect(events).toMatchObject([{ actor: { type: 'service' }, data: { revokedBecause: 'leaked' } }]);
    const entries = (await tenant.api.get(`/audit-entries?targetId=${id}&action=reportLeakedKey`)).body.data;
    expect(entries).toMatchObject([{ actor: { type: 'service' }, after: { revokedBecause: 'leaked' } }]);
    expect(await notified()).toEqual([owner.email]);
    const mail = await new Mailbox(tenant.service.config.dataDir).latest(owner.email, /^A leaked API key was revoked$/);
    expect(mail).toContain(id);
    expect(mail).toMatch(/^> Left at evil/m);
    expect(mail).not.toContain('evil.example');
    expect(mail).not.toContain(key);
  });

  it('is revoked once, however often it is reported at the same time', async () => {
    const { id, key } = await keyWith(tenant.api);
    const replies = await Promise.all([reportOf(key), reportOf(key), reportOf(key)]);
    for (const reply of replies) expect(reply).toMatchObject(accepted);
    const entries = (await tenant.api.get(`/audit-entries?targetId=${id}&action=reportLeakedKey`)).body.data;
    expect(entries).toHaveLength(1);
  });

  it('can be reported at the global entry', async () => {
    const { key } = await keyWith(tenant.api);
    const { url } = entry;
    for (const shown of [newApiKey('live', 'apac'), 'sk_live_an_operators_own_key_0123', 7])
      expect(await reportOf(shown, { url })).toMatchObject(accepted);
    for (const body of ['{', '', 'x'.repeat(5_000)]) expect(await report(body, { url })).toMatchObject(accepted);
    expect(await reportOf(key, { url })).toMatchObject(accepted);
    expect(await works(key)).toBe(false);
  });

  it('can be reported again after the service failed, and is not partly revoked', async () => {
    const { key } = await keyWith(tenant.api);
    jest.spyOn(tenant.service.app.get(EventsService), 'recordAbove').mockRejectedValueOnce(new Error('A fault'));
    const failed = await reportOf(key);
    expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await works(key)).toBe(true);
    expect(await reportOf(key)).toMatchObject(accepted);
    expect(await works(key)).toBe(false);
  });
});

it('any other report gets the same response and changes nothing', async () => {
  const { id, key } = await keyWith(tenant.api);
  const ended = await keyWith(tenant.api);
  await tenant.api.post(`/api-keys/${ended.id}/revoke`);
  const other = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
  const keys = [ended.key, key.slice(0, -1), other, id, newApiKey('live', 'us'), newApiKey('live', 'eu'), '', 7, null];
  const bodies = ['', '{', 'null', '[]', '"x"', String.raw`{"key":"\u0000\ud800"}`, 'x'.repeat(5_000)];
  const replies = await Promise.all([...keys.map((shown) => reportOf(shown)), ...bodies.map((body) => report(body))]);
  for (const reply of replies) expect(reply).toMatchObject(accepted);
  expect(await works(key)).toBe(true);
  expect((await tenant.api.get(`/api-keys/${ended.id}`)).body.data.revokedBecause).toBe('requested');
});

it('an expired key stays expired', async () => {
  clock.set('2030-05-05T12:00:00Z');
  const { id, key } = await keyWith(tenant.api, { expiresAt: '2030-05-05T12:01:00Z' });
  clock.advance(60_000);
  expect(await reportOf(key)).toMatchObject(accepted);
  expect((await tenant.api.get(`/api-keys/${id}`)).body.data).toMatchObject({ status: 'expired', revokedAt: null });
});

it('a response takes as long for an unknown key as for one that is revoked', async () => {
  const startedAt = performance.now();
  await reportOf(newApiKey('live', 'us'));
  expect(performance.now() - startedAt).toBeGreaterThan(145);
});

it.each([
  ['an IPv4 address', '203.0.113.1', '203.0.113.1'],
  ['the /64 of an IPv6 address', '2001:db8::1', '2001:db8::2'],
])('%s may send ten reports per hour, whatever they contain', async (_what, address, same) => {
  clock.set('2030-05-05T12:00:00Z');
  const { key } = await keyWith(tenant.api);
  const ten = await Promise.all(Array.from({ length: 10 }, () => report('{', { address })));
  expect(ten.map(({ status }) => status)).toEqual(Array(10).fill(200));
  const refused = await reportOf(key, { address: same });
  expectEnvelope({ ...refused, body: JSON.parse(refused.text) }, refusals.limited);
  expect(refused.headers.get('retry-after')).toBe('3600');
  expect(await works(key)).toBe(true);
  clock.advance(3_600_000);
  expect((await reportOf(key, { address: same })).status).toBe(200);
  expect(await works(key)).toBe(false);
});
