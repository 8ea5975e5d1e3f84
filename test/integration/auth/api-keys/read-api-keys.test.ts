import { clock } from '../../../support/clock.js';
import { doorNames } from '../../../support/doors.js';
import { absentId, keyWith } from '../../../support/factories.js';
import { until } from '../../../support/feed.js';
import { butForRequestId, startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('getApiKey returns a key without its secret', async () => {
    const { id, key } = await keyWith(tenant.api, { name: 'One' });
    const { status, body } = await ask('getApiKey', { keyId: id });
    expect([status, body.data.id, body.data.name]).toEqual([200, id, 'One']);
    expect(JSON.stringify(body)).not.toContain(key.slice(15));
    expect(body.data).not.toHaveProperty('hash');
  });

  it('listApiKeys returns the organization’s keys, newest first, without their secrets', async () => {
    const made = [await keyWith(tenant.api), await keyWith(tenant.api)];
    const { body } = await ask('listApiKeys', { limit: 2 });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([made[1]?.id, made[0]?.id]);
    for (const { key } of made) expect(JSON.stringify(body)).not.toContain(key.slice(15));
    const theirs = await ask('listApiKeys', {}, tenant.stranger.key);
    expect(theirs.body.data).toHaveLength(1);
  });

  it.each(['getApiKey', 'listApiKeys'])('%s requires the scope', async (operation) => {
    const { id, key } = await keyWith(tenant.api, { scopes: ['tasks:read'] });
    expect((await ask(operation, operation === 'getApiKey' ? { keyId: id } : {}, key)).status).toBe(403);
    expect((await ask(operation, operation === 'getApiKey' ? { keyId: id } : {}, tenant.reader.key)).status).toBe(200);
  });
});

it('returns the same bytes for another organization’s key as for an absent one', async () => {
  const foreign = (await tenant.stranger.get('/api-keys')).body.data[0].id as string;
  const [one, other] = [
    await tenant.api.get(`/api-keys/${foreign}`),
    await tenant.api.get(`/api-keys/${absentId('key')}`),
  ];
  expect(one.status).toBe(404);
  expect(butForRequestId(one)).toEqual(butForRequestId(other));
});

it('shows when a key was last used, to the minute', async () => {
  clock.set('2030-05-05T12:00:10Z');
  const { id, api } = await keyWith(tenant.api);
  const lastUsedAt = async () => (await tenant.api.get(`/api-keys/${id}`)).body.data.lastUsedAt as string | null;
  const becomes = (time: string) => until(lastUsedAt, (found) => found === time);
  expect(await lastUsedAt()).toBeNull();
  await api.get('/me');
  await becomes('2030-05-05T12:00:10.000Z');
  clock.set('2030-05-05T12:01:09.999Z');
  await api.get('/me');
  expect(await lastUsedAt()).toBe('2030-05-05T12:00:10.000Z');
  clock.set('2030-05-05T12:01:10Z');
  await api.get('/me');
  await becomes('2030-05-05T12:01:10.000Z');
  expect(await lastUsedAt()).toBe('2030-05-05T12:01:10.000Z');
});

it('shows that a key has expired', async () => {
  const { id } = await keyWith(tenant.api, { expiresAt: '2030-05-05T12:00:00Z' });
  clock.set('2030-05-05T11:59:59.999Z');
  expect((await tenant.api.get(`/api-keys/${id}`)).body.data.status).toBe('active');
  clock.set('2030-05-05T12:00:00Z');
  expect((await tenant.api.get(`/api-keys/${id}`)).body.data.status).toBe('expired');
});
