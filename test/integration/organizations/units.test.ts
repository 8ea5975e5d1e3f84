import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, propertyOf, unitOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const namesOf = ({ body }: { body: Json }): string[] => body.data.map(({ name }: Json) => name as string);

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('getUnit returns what createUnit returned, to callers who see its property', async () => {
    const { data } = (await ask('createUnit', { propertyId: tenant.elsewhere, name: '101', tags: ['sea'] })).body;
    const address = { propertyId: tenant.elsewhere, unitId: data.id };
    expect((await ask('getUnit', address)).body.data).toEqual(data);
    expect((await ask('getUnit', { ...address, propertyId: tenant.here })).status).toBe(404);
    expect((await ask('getUnit', { ...address, unitId: absentId('unit') })).status).toBe(404);
    expect((await ask('getUnit', address, tenant.limited.key)).status).toBe(404);
  });

  it("listAllUnits lists the units of the credential's properties, by status and name", async () => {
    const [one, two] = [tenant.here, await propertyOf(tenant.api)];
    const mark = `Wing ${door}`;
    await unitOf(tenant.api, one, `${mark} 1`);
    await unitOf(tenant.api, two, `${mark} 2`);
    const dirty = await unitOf(tenant.api, two, `${mark} 3`);
    await ask('updateUnit', { propertyId: two, unitId: dirty, cleaningStatus: 'dirty' });
    const all = (input: object, key?: string) => ask('listAllUnits', { q: mark, sort: 'name', ...input }, key);
    expect(namesOf(await all({}))).toEqual([`${mark} 1`, `${mark} 2`, `${mark} 3`]);
    expect(namesOf(await all({ propertyId: two }))).toEqual([`${mark} 2`, `${mark} 3`]);
    expect(namesOf(await all({ cleaningStatus: 'dirty' }))).toEqual([`${mark} 3`]);
    expect(namesOf(await all({ q: `${mark} 2`.toUpperCase() }))).toEqual([`${mark} 2`]);
    expect(namesOf(await all({}, tenant.limited.key))).toEqual([`${mark} 1`]);
    expect((await all({ propertyId: two }, tenant.limited.key)).status).toBe(404);
  });

  it('restoreUnit restores an archived unit, at an active property', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitId = await unitOf(tenant.api, propertyId);
    const { data } = (await ask('archiveUnit', { propertyId, unitId })).body;
    expect(namesOf(await ask('listAllUnits', { propertyId, archived: true }))).toEqual(['101']);
    expect(namesOf(await ask('listAllUnits', { propertyId }))).toEqual([]);
    const restored = (await ask('restoreUnit', { propertyId, unitId })).body.data;
    expect(restored).toEqual({ ...data, archivedAt: null, version: 3, updatedAt: restored.updatedAt });
    expect((await ask('restoreUnit', { propertyId, unitId })).body.data).toEqual(restored);
    await ask('archiveUnit', { propertyId, unitId });
    await ask('archiveProperty', { propertyId });
    const refused = await ask('restoreUnit', { propertyId, unitId });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROPERTY_ARCHIVED']);
  });

  it('listProperties and listDevices match a part of the name', async () => {
    const id = await propertyOf(tenant.api, `Quinta ${door} 100%`);
    const ids = async (input: object) => (await ask('listProperties', input)).body.data.map((row: Json) => row.id);
    expect(await ids({ q: `QUINTA ${door}` })).toEqual([id]);
    expect(await ids({ q: `Quinta ${door} %` })).toEqual([]);
    const wishes = { provider: 'simulator', kind: 'device', name: 'Locks', credentials: {}, settings: {} };
    const connectionId = (await tenant.api.post('/connections', wishes)).body.data.id;
    const [device] = (await ask('listDevices', { connectionId })).body.data;
    await ask('updateDevice', { deviceId: device.id, name: `Gate ${door}` });
    expect(namesOf(await ask('listDevices', { q: `gate ${door}` }))).toEqual([`Gate ${door}`]);
  });
});
