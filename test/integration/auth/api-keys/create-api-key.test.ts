import { clock } from '../../../support/clock.js';
import { doorNames } from '../../../support/doors.js';
import { issuePaths } from '../../../support/envelope.js';
import { memberOf } from '../../../support/behind-the-api.js';
import { absentId, keyWith, propertyOf } from '../../../support/factories.js';
import { startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

describe.each(doorNames)('createApiKey over %s', (door) => {
  const create = (input: object, key = tenant.key) =>
    tenant.doors[door].as(key).ask('createApiKey', { name: 'A key', scopes: ['tasks:read'], ...input });

  it('creates a key that works, with its own machine member, and shows the key only once', async () => {
    const { status, body } = await create({ name: 'Reporting', scopes: ['tasks:read', 'properties:read'] });
    expect(status).toBe(201);
    const { key, ...shown } = body.data;
    expect(key).toMatch(/^sk_live_us_[0-9A-Za-z]{49}$/);
    expect(shown).toMatchObject({
      name: 'Reporting',
      prefix: key.slice(0, 15),
      scopes: ['properties:read', 'tasks:read'],
      propertyIds: null,
      ratePerMinute: 1_000,
      status: 'active',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      version: 1,
    });
    const me = (await tenant.api.as(key).get('/me')).body.data;
    expect(me.member).toEqual({ id: shown.memberId, kind: 'machine', name: 'Reporting' });
    const again = await tenant.api.get(`/api-keys/${shown.id}`);
    const { lastUsedAt, lastUsedFrom, lastUsedAgent } = again.body.data;
    expect(again.body.data).toEqual({ ...shown, lastUsedAt, lastUsedFrom, lastUsedAgent });
    expect(again.text).not.toContain(key.slice(15));
  });

  it('has exactly the chosen scopes', async () => {
    const { body } = await create({ scopes: ['tasks:read'] });
    const api = tenant.api.as(body.data.key);
    expect((await api.get('/me')).body.data).toMatchObject({ scopes: ['tasks:read'], permissions: ['tasks:read'] });
    const statuses = [await api.get('/tasks'), await api.post('/tasks', { name: 'x' }), await api.get('/properties')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  it('expands * to the scopes of its creator', async () => {
    const all = (await tenant.api.get('/me')).body.data.permissions as string[];
    expect(all.length).toBeGreaterThan(5);
    expect((await create({ scopes: ['*'] })).body.data.scopes).toEqual(all);
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read', 'api-keys:manage'] });
    expect((await create({ scopes: ['*'] }, key)).body.data.scopes).toEqual(['api-keys:manage', 'tasks:read']);
  });

  it('never grants more than its creator has', async () => {
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read', 'api-keys:manage'] });
    const { status, body } = await create({ scopes: ['tasks:read', 'tasks:write'] }, key);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toContain('tasks:write');
  });

  it('gives the key of a limited creator the same limit, and rejects any other', async () => {
    const { key } = tenant.limited;
    expect((await create({}, key)).body.data.propertyIds).toEqual([tenant.here]);
    expect((await create({ propertyIds: null }, key)).body.data.propertyIds).toEqual([tenant.here]);
    expect((await create({ propertyIds: [tenant.elsewhere] }, key)).status).toBe(404);
    expect((await create({ propertyIds: [tenant.here, tenant.elsewhere] }, key)).status).toBe(404);
  });

  it('is limited to the properties of its member, whatever its own limit', async () => {
    const { here, elsewhere } = tenant;
    const memberId = await memberOf(tenant.service, { propertyIds: [elsewhere] });
    const { key } = (await create({ memberId, scopes: ['properties:read'], propertyIds: [here, elsewhere] })).body.data;
    const seen = (await tenant.api.as(key as string).get('/properties')).body.data as { id: string }[];
    expect(seen.map(({ id }) => id)).toEqual([elsewhere]);
  });

  it('rejects properties that are absent or another organization’s', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const replies = [await create({ propertyIds: [absentId('property')] }), await create({ propertyIds: [foreign] })];
    expect(replies.map(({ status }) => status)).toEqual([404, 404]);
  });

  it('rejects an expiry in the past', async () => {
    clock.set('2030-05-05T12:00:00Z');
    const { status, body } = await create({ expiresAt: '2030-05-05T14:00:00+02:00' });
    expect([status, body.error.details.key]).toEqual([400, 'API_KEY_EXPIRES_IN_THE_PAST']);
    expect((await create({ expiresAt: '2030-05-05T12:00:00.001Z' })).status).toBe(201);
  });

  it('acts as the named machine only', async () => {
    const machine = await memberOf(tenant.service);
    expect((await create({ memberId: machine })).body.data.memberId).toBe(machine);
    const suspended = await memberOf(tenant.service, { status: 'suspended' });
    const foreign = (await tenant.stranger.get('/me')).body.data.member.id as string;
    for (const memberId of [suspended, foreign, absentId('member')]) {
      const { status, body } = await create({ memberId });
      expect([status, body.error.details.key]).toEqual([400, 'API_KEY_MEMBER_NOT_A_MACHINE']);
    }
  });

  it.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(201) }],
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: ['tasks:read', 'tasks:read'] }],
    ['scopes', { scopes: ['tasks:fly'] }],
    ['scopes', { scopes: 'tasks:read' }],
    ['propertyIds', { propertyIds: [] }],
    ['ratePerMinute', { ratePerMinute: 999 }],
    ['ratePerMinute', { ratePerMinute: 60_001 }],
    ['expiresAt', { expiresAt: 'never' }],
    ['key', { key: 'sk_live_mine' }],
  ])('rejects a bad %s', async (field, input) => {
    const reply = await create(input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it('requires the scope', async () => {
    const { status, body } = await create({}, tenant.reader.key);
    expect([status, body.error.message]).toEqual([403, expect.stringMatching(/^Missing permission api-keys:manage/)]);
  });
});
