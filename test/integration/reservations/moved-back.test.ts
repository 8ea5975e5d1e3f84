import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { afterDeparture, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Guests in house who change rooms, and go back before they have slept in the other one. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const turnover = {
  automaticTasks: [afterDeparture('Clean', 'cleaning', 120), afterDeparture('Linen', 'other', 60)],
};
const tasksOf = async ({ id }: Json, fields: string[]): Promise<Json[]> =>
  (await tenant.api.get(`/tasks?reservationId=${id}&open=true&sort=createdAt`)).body.data.map((task: Json) =>
    fields.map((name) => task[name]).join(' '),
  );
const tasks = (stay: Json) => tasksOf(stay, ['type', 'unitId', 'canStartAt', 'dueAt']);
const boardUnit = async ({ propertyId, rooms }: Hotel, room: string, on = 0): Promise<Json> =>
  (await tenant.api.get(`/properties/${propertyId}/board?date=${day(on)}`)).body.data.units.find(
    ({ unitId }: Json) => unitId === rooms[room],
  );

async function inHouse(here: Hotel): Promise<Json> {
  const stay = await here.stay(-2, 3, '101');
  await here.act(stay, 'check-in');
  return stay;
}

describe.each(doorNames)('over %s', (door) => {
  const move = async (stay: Json, unitId: string | undefined, from: number): Promise<Json> =>
    (await tenant.doors[door].ask('moveReservation', { reservationId: stay.id, unitId, from: day(from) })).body.data;

  it('guests who go back are as if they had never moved', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '310'] }, turnover);
    const stay = await inHouse(here);
    const before = await tasks(stay);
    expect((await move(stay, here.rooms['310'], 0)).segments).toHaveLength(2);
    expect(await move(stay, here.rooms['101'], 0)).toMatchObject({
      unitId: here.rooms['101'],
      segments: [{ unitId: here.rooms['101'], from: day(-2), until: day(3) }],
    });
    expect(await boardUnit(here, '101')).toMatchObject({ occupancy: 'in_house', leaving: null });
    expect(await boardUnit(here, '310')).toMatchObject({ occupancy: 'vacant', leaving: null, tonight: null });
    expect(await tasks(stay)).toEqual(before);
  });

  it('the board shows when guests come into the other room, and leave the one before', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '310'] }, turnover);
    await move(await inHouse(here), here.rooms['310'], 1);
    const [first, second] = [
      { arrivalLocal: `${day(-2)}T00:00`, departureLocal: `${day(1)}T12:00` },
      { arrivalLocal: `${day(1)}T00:00`, departureLocal: `${day(3)}T12:00` },
    ];
    expect(await boardUnit(here, '101')).toMatchObject({ tonight: first, next: null });
    expect(await boardUnit(here, '310')).toMatchObject({ tonight: null, next: second });
    expect(await boardUnit(here, '101', 1)).toMatchObject({ tonight: null, leaving: first });
    expect(await boardUnit(here, '310', 1)).toMatchObject({ tonight: second, next: null });
  });

  it('guests who go back on the day of their arrival leave no room to be cleaned', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '310'] }, turnover);
    const stay = await here.stay(0, 3, '101');
    await here.act(stay, 'check-in');
    const before = await tasks(stay);
    await move(stay, here.rooms['310'], 0);
    expect(await tasksOf(stay, ['type', 'unitId'])).toContain(`cleaning ${here.rooms['101']}`);
    await move(stay, here.rooms['101'], 0);
    expect(await tasks(stay)).toEqual(before);
  });

  it('guests who leave before a planned change of rooms leave one room to be cleaned, and two again if that is undone', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '310'] }, turnover);
    const stay = await inHouse(here);
    await move(stay, here.rooms['310'], 1);
    const before = await tasks(stay);
    const { body } = await tenant.doors[door].ask('checkOutReservation', { reservationId: stay.id });
    const rooms = ['cleaning', 'other'].map((type) => `${type} ${here.rooms['101']}`);
    expect(await tasksOf(stay, ['type', 'unitId'])).toEqual(rooms);
    await tenant.doors[door].ask('undoCheckOut', { reservationId: stay.id });
    expect(await tasks(stay)).toEqual(before);
    expect(body.data.stayStatus).toBe('checked_out');
  });

  it('a planned change of rooms ends with its cleaning when the guests are to stay where they are', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102', '310'] }, turnover);
    const stay = await inHouse(here);
    const before = await tasks(stay);
    await move(stay, here.rooms['310'], 1);
    await move(stay, here.rooms['102'], 2);
    const back = await move(stay, here.rooms['101'], 1);
    expect(back.segments).toMatchObject([{ unitId: here.rooms['101'], from: day(-2), until: day(3) }]);
    expect(await tasks(stay)).toEqual(before);
  });
});

it('guests who go back after a night keep the cleaning of both rooms', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '310'] }, turnover);
  const stay = await inHouse(here);
  await here.act(stay, 'move', { unitId: here.rooms['310'], from: day(0) });
  clock.set('2030-07-02T08:00:00Z');
  const { body } = await here.act(stay, 'move', { unitId: here.rooms['101'], from: day(0) });
  expect(body.data.segments.map(({ unitId }: Json) => unitId)).toEqual(
    ['101', '310', '101'].map((room) => here.rooms[room]),
  );
  expect(await tasksOf(stay, ['type', 'unitId'])).toEqual([
    `cleaning ${here.rooms['101']}`,
    `other ${here.rooms['101']}`,
    `cleaning ${here.rooms['101']}`,
    `cleaning ${here.rooms['310']}`,
  ]);
});
