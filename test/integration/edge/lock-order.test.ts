import { pushedBy, taskOf } from '../../support/factories.js';
import { day, hotelOf } from '../../support/hotel.js';
import { HeldRows, idOf, two } from '../../support/locks.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Requests that change the same records at the same time lock them in one order, whatever the order of their items. */
let tenant: Tenant;
let held: HeldRows;
beforeAll(async () => {
  tenant = await startTenant({ WORKER: 'off' });
  held = await HeldRows.of(tenant);
});
afterAll(async () => {
  await held.end();
  await tenant.close();
});

const api = () => tenant.api;

const stayAt = (propertyId: string, externalId: string, place: object = {}) => ({
  externalId,
  propertyId,
  ...place,
  status: 'confirmed',
  checkInDate: day(10),
  checkOutDate: day(11),
});
const bulk = (connection: string, records: string, items: object[]) =>
  api().post(`/connections/${connection}/${records}/bulk`, { items });
const cleaningIn = (propertyId: string, unitId: string) => taskOf(api(), { propertyId, unitId, type: 'cleaning' });
const started = (taskIds: string[]) => api().post('/tasks/bulk', { taskIds, action: 'start' });

describe('a bulk save locks', () => {
  it('properties in the order of a bulk of stays', async () => {
    const connection = await pushedBy(api());
    const ids = await two((name) =>
      idOf(api().put(`/connections/${connection}/properties/${name}`, { name, timezone: 'UTC' })),
    );
    const renamed = ['Newer', 'Older'].map((externalId) => ({ externalId, name: `${externalId} hotel` }));
    expect(
      await held.bothBehind(
        ['properties', ids[1]],
        () => bulk(connection, 'properties', renamed),
        () =>
          bulk(
            connection,
            'reservations',
            ids.map((id) => stayAt(id, id)),
          ),
      ),
    ).toEqual([200, 200]);
  });

  async function unitsSaved(type: string): Promise<{ connection: string; propertyId: string; ids: [string, string] }> {
    const { propertyId, types } = await hotelOf(api(), { Double: [], Suite: [] });
    const connection = await pushedBy(api());
    const ids = await two((name) =>
      idOf(api().put(`/connections/${connection}/units/${name}`, { propertyId, name, unitTypeId: types[type] })),
    );
    return { connection, propertyId, ids };
  }

  it('the property of units before the units, as bookings do', async () => {
    const { connection, propertyId, ids } = await unitsSaved('Double');
    const items = [
      { externalId: 'Older', name: 'Renamed' },
      { externalId: 'Newer', unitTypeId: null },
    ];
    const stay = { propertyId, unitId: ids[0], checkInDate: day(10), checkOutDate: day(11) };
    expect(
      await held.bothBehind(
        ['units', ids[0]],
        () => bulk(connection, 'units', items),
        () => api().post('/reservations', stay),
      ),
    ).toEqual([200, 201]);
  });

  it('units in the order in which work in them does', async () => {
    const { connection, propertyId, ids } = await unitsSaved('Double');
    const tasks = [await cleaningIn(propertyId, ids[0]), await cleaningIn(propertyId, ids[1])];
    const renamed = ['Newer', 'Older'].map((externalId) => ({ externalId, name: `${externalId} room` }));
    expect(
      await held.bothBehind(
        ['units', ids[1]],
        () => bulk(connection, 'units', renamed),
        () => started(tasks),
      ),
    ).toEqual([200, 200]);
  });

  it('unit types in the order of a bulk of stays', async () => {
    const { propertyId } = await hotelOf(api(), {});
    const connection = await pushedBy(api());
    const ids = await two((name) =>
      idOf(api().put(`/connections/${connection}/unit-types/${name}`, { propertyId, name })),
    );
    const renamed = ['Newer', 'Older'].map((externalId) => ({ externalId, name: `${externalId} type` }));
    expect(
      await held.bothBehind(
        ['unit_types', ids[1]],
        () => bulk(connection, 'unit-types', renamed),
        () =>
          bulk(
            connection,
            'reservations',
            ids.map((unitTypeId) => stayAt(propertyId, unitTypeId, { unitTypeId })),
          ),
      ),
    ).toEqual([200, 200]);
  });
});

it('a task that gets a unit waits for the unit before it is locked, as its work does', async () => {
  const { propertyId, rooms } = await hotelOf(api(), { Double: ['101'] });
  const unitId = rooms['101'] as string;
  const task = await cleaningIn(propertyId, unitId);
  expect(
    await held.bothBehind(
      ['tasks', task],
      () => api().patch(`/tasks/${task}`, { unitId }),
      () => api().post(`/tasks/${task}/start`),
    ),
  ).toEqual([200, 200]);
});
