import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let hotel: Hotel;
let stay: Json;
let task: Json;
beforeAll(async () => {
  tenant = await startTenant();
  hotel = await hotelOf(tenant.api, { Double: ['101', '102'] });
  stay = await hotel.stay(1, 3, '101', { primaryGuest: { name: 'Nadia' } });
  const { body } = await tenant.api.get('/members');
  const input = { name: 'Clean', reservationId: stay.id, assigneeIds: [body.data[0].id] };
  task = (await tenant.api.post('/tasks', input)).body.data;
});
afterAll(() => tenant.close());

describe.each(doorNames)('over %s', (door) => {
  const ask = async (operation: string, input: object, key = tenant.key): Promise<Json> =>
    (await tenant.doors[door].as(key).ask(operation, input)).body;

  it('shows named records beside each record of a list, and beside a single record', async () => {
    const include = 'guest,unit,tasks';
    const list = await ask('listReservations', { include, propertyId: hotel.propertyId });
    const { included } = list.data[0];
    expect(Object.keys(included)).toEqual(['guest', 'unit', 'tasks']);
    expect(included.guest).toMatchObject({ id: stay.guestId ?? stay.primaryGuest.id, name: 'Nadia' });
    expect(included.unit).toMatchObject({ id: hotel.rooms['101'], name: '101' });
    expect(included.tasks.map(({ id }: Json) => id)).toEqual([task.id]);
    const { data } = await ask('getReservation', { reservationId: stay.id, include });
    expect(data.included).toEqual(included);
    expect(data.checkInDate).toBe(day(1));
  });

  it('shows missing ones as null or an empty list', async () => {
    const { data } = await ask('listAllUnits', { include: 'tasks,devices,unitType', propertyId: hotel.propertyId });
    expect(data.map(({ name, included }: Json) => [name, included.tasks.length, included.devices])).toEqual(
      expect.arrayContaining([
        ['101', 1, []],
        ['102', 0, []],
      ]),
    );
    expect(data[0].included.unitType).toMatchObject({ id: hotel.types.Double, name: 'Double' });
    const loose = (await tenant.api.post('/tasks', { name: 'Call' })).body.data;
    const one = await ask('getTask', { taskId: loose.id, include: 'unit,property,assignees' });
    expect(one.data.included).toEqual({ unit: null, property: null, assignees: [] });
  });

  it('shows only what the credential may read', async () => {
    const { key } = await keyWith(tenant.api, { scopes: ['tasks:read'] });
    const { data } = await ask('getTask', { taskId: task.id, include: 'unit,assignees,property' }, key);
    expect(data.included).toEqual({ unit: null, assignees: [], property: null });
    const all = await ask('getTask', { taskId: task.id, include: 'unit,assignees,property' });
    expect([all.data.included.unit.name, all.data.included.assignees.length, all.data.included.property.id]).toEqual([
      '101',
      1,
      hotel.propertyId,
    ]);
  });

  it('shows only the fields that are asked for', async () => {
    const { data, meta } = await ask('listTasks', { fields: 'id,name', include: 'property', reservationId: stay.id });
    expect(data).toEqual([{ id: task.id, name: 'Clean', included: { property: expect.any(Object) } }]);
    expect(meta.pagination.nextCursor).toBeNull();
    expect((await ask('getTask', { taskId: task.id, fields: 'status' })).data).toEqual({ status: 'pending' });
  });

  it.each([
    [{ include: 'guests' }, 'Choose from: unit, property, assignees, devices.'],
    [{ include: '' }, 'Choose from: unit, property, assignees, devices.'],
    [{ include: 'unit,property,assignees,devices' }, 'Include at most 3 at a time.'],
    [{ fields: 'id,secret' }, 'Choose from: id, name,'],
    [{ fields: '__proto__' }, 'Choose from: id, name,'],
  ])('rejects %j', async (input, sentence) => {
    const { error } = await ask('listTasks', input);
    expect([error.code, error.message]).toEqual(['VALIDATION_ERROR', expect.stringContaining(sentence)]);
  });
});

it('shows nothing of another organization, and no devices beyond the property limit', async () => {
  expect((await tenant.stranger.get('/reservations?include=guest')).body.data).toEqual([]);
  const { api } = await keyWith(tenant.api, { propertyIds: [tenant.here] });
  const elsewhere = (await tenant.api.post('/tasks', { name: 'There', propertyId: tenant.here })).body.data;
  const { body } = await api.get(`/tasks/${elsewhere.id}?include=property,unit`);
  expect(body.data.included).toMatchObject({ property: { id: tenant.here }, unit: null });
});

it('rejects include where nothing can be included', async () => {
  expect((await tenant.api.get('/roles?include=guest')).status).toBe(400);
  expect((await tenant.api.post('/tasks?include=unit', { name: 'Clean' })).status).toBe(400);
});
