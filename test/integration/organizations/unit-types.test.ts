import { doorNames } from '../../support/doors.js';
import { absentId, propertyOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

describe.each(doorNames)('unit types over %s', (door) => {
  const ask = (operation: string, input: object) => tenant.doors[door].ask(operation, input);

  it('are created, shown, changed and archived', async () => {
    const propertyId = await propertyOf(tenant.api);
    const added = await ask('createUnitType', { propertyId, name: 'Double room', code: 'DBL', capacity: 2 });
    expect(added.status).toBe(201);
    const { id: unitTypeId, createdAt, updatedAt, ...unitType } = added.body.data;
    expect([/^unittype_[0-9a-f]{32}$/.test(unitTypeId), updatedAt]).toEqual([true, createdAt]);
    expect(unitType).toEqual({
      propertyId,
      name: 'Double room',
      code: 'DBL',
      capacity: 2,
      bedConfiguration: null,
      tags: [],
      sortOrder: 0,
      unitCount: 0,
      externalRefs: [],
      archivedAt: null,
      version: 1,
    });
    const changed = await ask('updateUnitType', { propertyId, unitTypeId, bedConfiguration: '1 king', sortOrder: 2 });
    expect(changed.body.data).toMatchObject({ bedConfiguration: '1 king', sortOrder: 2, version: 2 });
    expect((await ask('getUnitType', { propertyId, unitTypeId })).body.data).toEqual(changed.body.data);
    const archived = await ask('archiveUnitType', { propertyId, unitTypeId });
    expect([archived.status, archived.body.data.archivedAt]).toEqual([200, expect.any(String)]);
    expect((await ask('listUnitTypes', { propertyId })).body.data).toEqual([]);
    expect((await ask('listUnitTypes', { propertyId, archived: true })).body.data).toEqual([archived.body.data]);
  });

  it('are listed in their order, with the number of their units', async () => {
    const propertyId = await propertyOf(tenant.api);
    const types: string[] = [];
    for (const [sortOrder, name] of ['Suite', 'Double', 'Single'].entries())
      types.push((await ask('createUnitType', { propertyId, name, sortOrder: 3 - sortOrder })).body.data.id as string);
    const [, double] = types;
    for (const name of ['101', '102']) await ask('createUnit', { propertyId, name, unitTypeId: double });
    const gone = await ask('createUnit', { propertyId, name: '103', unitTypeId: double });
    await ask('archiveUnit', { propertyId, unitId: gone.body.data.id });
    const first = await ask('listUnitTypes', { propertyId, sort: 'sortOrder', limit: 2 });
    const { nextCursor } = first.body.meta.pagination;
    const rest = await ask('listUnitTypes', { propertyId, sort: 'sortOrder', limit: 2, cursor: nextCursor });
    expect([...first.body.data, ...rest.body.data].map(({ name, unitCount }) => [name, unitCount])).toEqual([
      ['Single', 0],
      ['Double', 2],
      ['Suite', 0],
    ]);
  });

  it('have a code that is unique at the property', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { body } = await ask('createUnitType', { propertyId, name: 'Double', code: 'DBL' });
    const other = await ask('createUnitType', { propertyId, name: 'Twin', code: 'TWN' });
    const again = await ask('createUnitType', { propertyId, name: 'Deluxe', code: 'DBL' });
    const renamed = await ask('updateUnitType', { propertyId, unitTypeId: other.body.data.id, code: 'DBL' });
    expect([again, renamed].map((reply) => [reply.status, reply.body.error.code])).toEqual([
      [409, 'UNIT_TYPE_CODE_TAKEN'],
      [409, 'UNIT_TYPE_CODE_TAKEN'],
    ]);
    const elsewhere = await ask('createUnitType', { propertyId: await propertyOf(tenant.api), name: 'D', code: 'DBL' });
    expect(elsewhere.status).toBe(201);
    await ask('archiveUnitType', { propertyId, unitTypeId: body.data.id });
    expect((await ask('createUnitType', { propertyId, name: 'Deluxe', code: 'DBL' })).status).toBe(201);
  });

  it('cannot be archived while units use them, and accept no units once archived', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitTypeId = (await ask('createUnitType', { propertyId, name: 'Double' })).body.data.id as string;
    const unit = (await ask('createUnit', { propertyId, name: '101', unitTypeId })).body.data;
    const refused = await ask('archiveUnitType', { propertyId, unitTypeId });
    expect([refused.status, refused.body.error.code, refused.body.error.details.unitIds]).toEqual([
      409,
      'UNIT_TYPE_IN_USE',
      [unit.id],
    ]);
    await ask('updateUnit', { propertyId, unitId: unit.id, unitTypeId: null });
    expect((await ask('archiveUnitType', { propertyId, unitTypeId })).status).toBe(200);
    const late = await ask('updateUnit', { propertyId, unitId: unit.id, unitTypeId });
    expect([late.status, late.body.error.code]).toEqual([409, 'UNIT_TYPE_ARCHIVED']);
  });

  it('are accessible only through their own property', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitTypeId = (await ask('createUnitType', { propertyId, name: 'Double' })).body.data.id as string;
    const refused = [
      await ask('getUnitType', { propertyId: tenant.here, unitTypeId }),
      await ask('getUnitType', { propertyId, unitTypeId: absentId('unittype') }),
      await ask('createUnit', { propertyId: tenant.here, name: '101', unitTypeId }),
      await tenant.doors[door].as(tenant.limited.key).ask('listUnitTypes', { propertyId }),
      await tenant.doors[door].as(tenant.stranger.key).ask('getUnitType', { propertyId, unitTypeId }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    const reader = tenant.doors[door].as(tenant.reader.key);
    expect((await reader.ask('createUnitType', { propertyId, name: 'Twin' })).status).toBe(403);
  });
});

describe('units', () => {
  it('have a type, a floor, an order and connecting doors', async () => {
    const { api } = tenant;
    const propertyId = await propertyOf(api);
    const path = `/properties/${propertyId}/units`;
    const unitTypeId = (await api.post(`/properties/${propertyId}/unit-types`, { name: 'Double' })).body.data.id;
    const next = (await api.post(path, { name: '102' })).body.data;
    expect(next).toMatchObject({ unitTypeId: null, floor: null, sortOrder: 0, connectsTo: [] });
    const wishes = { unitTypeId, floor: '1', sortOrder: 1, connectsTo: [next.id] };
    const { body } = await api.post(path, { name: '101', ...wishes });
    expect(body.data).toMatchObject(wishes);
    const itself = await api.patch(`${path}/${body.data.id}`, { connectsTo: [body.data.id] });
    expect([itself.status, itself.body.error.details.key]).toEqual([400, 'UNIT_CONNECTS_TO_ITSELF']);
    const elsewhere = (await api.post(`/properties/${tenant.here}/units`, { name: '1' })).body.data.id;
    expect((await api.patch(`${path}/${body.data.id}`, { connectsTo: [elsewhere] })).status).toBe(404);
  });
});
