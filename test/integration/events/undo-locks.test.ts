import type { Json } from '../../support/api.js';
import { pushedBy, stayOf, taskOf } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { dataOf, HeldRows, idOf, type Reply, two } from '../../support/locks.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** An undo changes the newest record first, and locks all of them before, in the order in which everything else does. */
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

const requestOf = async (asked: Promise<Reply>): Promise<string> => {
  const reply = await asked;
  dataOf(reply);
  return reply.body.meta.requestId as string;
};
const undo = (requestId: string) => api().post('/changes/undo', { requestId });
/** Undoes the newest change first. */
async function undoOf(changed: readonly string[]): Promise<Reply> {
  const entries = (await api().get('/audit-entries?limit=50')).body.data as Json[];
  const auditEntryIds = changed.map((id) => entries.find(({ target }) => target.id === id)?.id as string);
  return await api().post('/changes/undo', { auditEntryIds });
}
const assigned = (taskIds: string[]) => api().post('/tasks/bulk', { taskIds, action: 'assign', assigneeIds: [] });
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

describe('an undo locks', () => {
  it('the property of a block before its unit, as bookings of the unit do', async () => {
    const { propertyId, rooms, book } = await hotelOf(api(), { Double: ['101'] });
    const unitId = rooms['101'] as string;
    const block = { unitId, from: day(0), until: day(2), kind: 'out_of_order', returnStatus: 'inspected' };
    const blockId = await idOf(api().post(`/properties/${propertyId}/unit-blocks`, block));
    const ended = await requestOf(api().post(`/properties/${propertyId}/unit-blocks/${blockId}/end`));
    expect(
      await held.bothBehind(
        ['units', unitId],
        () => undo(ended),
        () => book(5, 6, '101'),
      ),
    ).toEqual([200, 201]);
  });

  it('all properties in one order', async () => {
    const [older, newer] = [await hotelOf(api(), {}), await hotelOf(api(), {})];
    const stayIn = async ({ stay }: Hotel, from: number) => (await stay(from, from + 1)).id as string;
    const inOrder = [await stayIn(older, 1), await stayIn(newer, 1)];
    const reversed = [await stayIn(newer, 3), await stayIn(older, 3)];
    expect(
      await held.bothBehind(
        ['properties', older.propertyId],
        () => undoOf(reversed),
        () => undoOf(inOrder),
      ),
    ).toEqual([200, 200]);
  });

  it('units in the order in which work in them does', async () => {
    const { propertyId, rooms } = await hotelOf(api(), { Double: ['101', '102'] });
    const units = [rooms['101'], rooms['102']] as [string, string];
    const tasks = [await cleaningIn(propertyId, units[0]), await cleaningIn(propertyId, units[1])];
    for (const unitId of units)
      await requestOf(api().post(`/properties/${propertyId}/units/${unitId}/status`, { cleaningStatus: 'inspected' }));
    expect(
      await held.bothBehind(
        ['units', units[1]],
        () => undoOf(units),
        () => started(tasks),
      ),
    ).toEqual([200, 200]);
  });

  it('the rooms of tasks before the tasks', async () => {
    const { propertyId, rooms } = await hotelOf(api(), { Double: ['101', '102'] });
    const units = [rooms['101'], rooms['102']] as [string, string];
    const tasks = [await cleaningIn(propertyId, units[0]), await cleaningIn(propertyId, units[1])] as const;
    for (const id of tasks) await requestOf(api().patch(`/tasks/${id}`, { name: 'Other' }));
    expect(
      await held.bothBehind(
        ['units', units[1]],
        () => undoOf(tasks),
        () => started([...tasks]),
      ),
    ).toEqual([200, 200]);
  });

  it('tasks in the order of a bulk change', async () => {
    const tasks = await two((name) => taskOf(api(), { name }));
    for (const id of tasks) await requestOf(api().patch(`/tasks/${id}`, { name: 'Other' }));
    expect(
      await held.bothBehind(
        ['tasks', tasks[1]],
        () => undoOf(tasks),
        () => assigned(tasks),
      ),
    ).toEqual([200, 200]);
  });

  it('stays in the order in which the erasure of their guest does', async () => {
    const { stay } = await hotelOf(api(), { Double: ['101'] });
    const id = await idOf(api().post('/guests', { name: 'Ana' }));
    const primaryGuest = { id };
    const stays = [
      (await stay(1, 2, '101', { primaryGuest })).id as string,
      (await stay(3, 4, '101', { primaryGuest })).id as string,
    ] as const;
    for (const one of stays) await requestOf(api().patch(`/reservations/${one}`, { notes: 'Late' }));
    expect(
      await held.bothBehind(
        ['reservations', stays[1]],
        () => undoOf(stays),
        () => api().delete(`/guests/${id}`),
      ),
    ).toEqual([200, 200]);
  });

  it('unit types in the order of a bulk save', async () => {
    const { propertyId, types } = await hotelOf(api(), { Older: [], Newer: [] });
    const connection = await pushedBy(api());
    const ids = [types.Older, types.Newer] as [string, string];
    for (const [index, id] of ids.entries()) {
      const externalRefs = [{ connectionId: connection, externalId: `t${index}` }];
      await requestOf(api().patch(`/properties/${propertyId}/unit-types/${id}`, { externalRefs }));
      await requestOf(api().patch(`/properties/${propertyId}/unit-types/${id}`, { name: `Other ${index}` }));
    }
    const items = [0, 1].map((index) => ({ externalId: `t${index}`, propertyId, sortOrder: 3 }));
    expect(
      await held.bothBehind(
        ['unit_types', ids[1]],
        () => undoOf(ids),
        () => bulk(connection, 'unit-types', items),
      ),
    ).toEqual([200, 200]);
  });

  it('a connection before its stays, as saves do', async () => {
    const { propertyId } = await hotelOf(api(), {});
    const connection = await pushedBy(api(), { propertyId });
    const stay = (await stayOf(api(), { propertyId })).id as string;
    await requestOf(api().patch(`/connections/${connection}`, { name: 'Other' }));
    await requestOf(api().patch(`/reservations/${stay}`, { notes: 'Late' }));
    expect(
      await held.bothBehind(
        ['properties', propertyId],
        () => undoOf([connection, stay]),
        () => bulk(connection, 'reservations', [stayAt(propertyId, 'a')]),
      ),
    ).toEqual([200, 200]);
  });
});
