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

  it('makes a key that works, with a machine member of its own, and shows it this once', async () => {
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

  it('carries exactly the scopes chosen', async () => {
    const { body } = await create({ scopes: ['tasks:read'] });
    const api = tenant.api.as(body.data.key);
    expect((await api.get('/me')).body.data).toMatchObject({ scopes: ['tasks:read'], permissions: ['tasks:read'] });
    const statuses = [await api.get('/tasks'), await api.post('/tasks', { name: 'x' }), await api.get('/properties')];
    expect(statuses.map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  it('writes * out as what its creator has', async () => {
    const all = (await tenant.api.get('/me')).body.data.permissions as string[];
    expect(all.length).toBeGreaterThan(5);
    expect((await create({ scopes: ['*'] })).body.data.scopes).toEqual(all);
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read', 'api-keys:manage'] });
    expect((await create({ scopes: ['*'] }, key)).body.data.scopes).toEqual(['api-keys:manage', 'tasks:read']);
  });

  it('never gives more than its creator has', async () => {
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read', 'api-keys:manage'] });
    const { status, body } = await create({ scopes: ['tasks:read', 'tasks:write'] }, key);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toContain('tasks:write');
  });

  it('gives a limited creator’s key the same limit, and rejects it another', async () => {
    const { key } = tenant.limited;
    expect((await create({}, key)).body.data.propertyIds).toEqual([tenant.here]);
    expect((await create({ propertyIds: null }, key)).body.data.propertyIds).toEqual([tenant.here]);
    expect((await create({ propertyIds: [tenant.elsewhere] }, key)).status).toBe(404);
    expect((await create({ propertyIds: [tenant.here, tenant.elsewhere] }, key)).status).toBe(404);
  });

  it('is limited to what its member sees, whatever it is limited to itself', async () => {
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

  it('rejects a time that has passed', async () => {
    clock.set('2030-05-05T12:00:00Z');
    const { status, body } = await create({ expiresAt: '2030-05-05T14:00:00+02:00' });
    expect([status, body.error.details.key]).toEqual([400, 'API_KEY_EXPIRES_IN_THE_PAST']);
    expect((await create({ expiresAt: '2030-05-05T12:00:00.001Z' })).status).toBe(201);
  });

  it('acts as the machine that is named, and as nobody else', async () => {
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

  it('needs the scope', async () => {
    const { status, body } = await create({}, tenant.reader.key);
    expect([status, body.error.message]).toEqual([403, expect.stringMatching(/^Missing permission api-keys:manage/)]);
  });
});
