import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { absentId, keyWith, propertyOf } from '../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);
  const create = (input: object, key?: string) => ask('createProperty', input, key);

  it('createProperty adds a property with defaults, and returns it whole', async () => {
    const { status, body } = await create({ name: 'Cabin', timezone: 'America/New_York' });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...property } = body.data;
    expect([/^property_[0-9a-f]{32}$/.test(id), updatedAt]).toEqual([true, createdAt]);
    expect(property).toEqual({
      name: 'Cabin',
      timezone: 'America/New_York',
      type: 'other',
      address: null,
      geo: null,
      checkInTime: '15:00',
      checkOutTime: '11:00',
      capacity: null,
      hasWifi: false,
      automaticTasks: [],
      cleaningStatus: 'clean',
      readiness: 'ready',
      notReadyBecause: [],
      roomStatusFollowsWork: true,
      tags: [],
      metadata: {},
      externalRefs: [],
      archivedAt: null,
      version: 1,
    });
  });

  it('createProperty stores what is given, and getProperty returns the same', async () => {
    const given = {
      name: 'Villa',
      timezone: 'Asia/Kolkata',
      type: 'villa',
      checkInTime: '00:00',
      checkOutTime: '23:59',
      tags: ['sea', 'dogs'],
      metadata: { code: '7' },
    };
    const { body } = await create(given);
    expect(body.data).toMatchObject(given);
    expect((await ask('getProperty', { propertyId: body.data.id })).body.data).toEqual(body.data);
  });

  it.each([
    ['name', { timezone: 'UTC' }],
    ['timezone', { name: 'x' }],
    ['timezone', { name: 'x', timezone: '+01:00' }],
    ['timezone', { name: 'x', timezone: 'Mars/Olympus' }],
    ['type', { name: 'x', timezone: 'UTC', type: 'boat' }],
    ['checkInTime', { name: 'x', timezone: 'UTC', checkInTime: '24:00' }],
    ['checkOutTime', { name: 'x', timezone: 'UTC', checkOutTime: '9:00' }],
    ['tags', { name: 'x', timezone: 'UTC', tags: ['a', 'a'] }],
    ['colour', { name: 'x', timezone: 'UTC', colour: 'red' }],
  ])('createProperty rejects a bad %s', async (field, input) => {
    const reply = await create(input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
    expect(reply.body.error.details).toMatchObject({ service: 'properties', method: 'createProperty' });
  });

  it('createProperty rejects a key that is limited to some properties', async () => {
    const { status, body } = await create({ name: 'x', timezone: 'UTC' }, tenant.limited.key);
    expect([status, body.error.code]).toEqual([403, 'ORGANIZATION_WIDE']);
    expect(body.error.message).toMatch(/limited to some properties/);
  });

  it('shows a limited key only its properties', async () => {
    const { key } = tenant.limited;
    const { body } = await ask('listProperties', {}, key);
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([tenant.here]);
    expect((await ask('getProperty', { propertyId: tenant.here }, key)).status).toBe(200);
    expect((await ask('getProperty', { propertyId: tenant.elsewhere }, key)).status).toBe(404);
  });

  it.each([
    ['createProperty', { name: 'x', timezone: 'UTC' }, 'properties:write'],
    ['listProperties', {}, 'properties:read'],
    ['getProperty', { propertyId: absentId('property') }, 'properties:read'],
  ])('%s requires its scope', async (operation, input, scope) => {
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read'] });
    const { status, body } = await ask(operation, input, key);
    expect([status, body.error.message]).toEqual([403, `Missing permission ${scope} for ${operation}.`]);
  });
});

describe('listProperties', () => {
  it('sorts by name, and returns every property once over its pages', async () => {
    const api = await anotherOrganization(tenant.service);
    for (const name of ['b', 'c', 'a', 'b']) await propertyOf(api, name);
    const names = async (query: string): Promise<string> =>
      (await api.get(`/properties?${query}`)).body.data.map(({ name }: { name: string }) => name).join('');
    expect(await names('sort=name')).toBe('abbc');
    expect(await names('sort=-name')).toBe('cbba');
    expect(await names('')).toBe('bacb');
    const first = (await api.get('/properties?sort=name&limit=2')).body;
    expect(await names(`sort=name&limit=2&cursor=${first.meta.pagination.nextCursor}`)).toBe('bc');
  });
});

describe('another organization’s property', () => {
  it('returns the same bytes as an absent one', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const [one, other] = [
      await tenant.api.get(`/properties/${foreign}`),
      await tenant.api.get(`/properties/${absentId('property')}`),
    ];
    expect(one.status).toBe(404);
    expect(butForRequestId(one)).toEqual(butForRequestId(other));
  });
});
