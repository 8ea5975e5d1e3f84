import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { afterDeparture, codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Guests in house who get another room by assignUnit: from tonight on, as by moveReservation. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const turnover = {
  automaticTasks: [afterDeparture('Clean', 'cleaning', 120)],
};
const hotel = (): Promise<Hotel> => hotelOf(tenant.api, { Double: ['101', '102', '103'], Suite: ['201'] }, turnover);
/** The rooms that are to be cleaned for a stay, with the days. */
const cleanings = async ({ rooms }: Hotel, { id }: Json): Promise<string[]> =>
  (await tenant.api.get(`/tasks?reservationId=${id}&open=true`)).body.data
    .map((task: Json) => `${nameOf(rooms, task.unitId)} ${task.canStartAt.slice(0, 10)}`)
    .toSorted();
const nameOf = (rooms: Record<string, string>, unitId: string): string =>
  Object.keys(rooms).find((name) => rooms[name] === unitId) as string;
const statusOf = async ({ propertyId, rooms }: Hotel, room: string): Promise<string> =>
  (await tenant.api.get(`/properties/${propertyId}/units/${rooms[room]}`)).body.data.cleaningStatus;

async function inHouse(here: Hotel, from = -2): Promise<Json> {
  const stay = await here.stay(from, 3, '101');
  await here.act(stay, 'check-in');
  return stay;
}

describe.each(doorNames)('over %s, guests in house', (door) => {
  const assign = (here: Hotel, stay: Json, room: string, input: object = {}) =>
    tenant.doors[door].ask('assignUnit', { reservationId: stay.id, unitId: here.rooms[room], ...input });

  it('have had their room until today, also if another one was taken until then', async () => {
    const here = await hotel();
    await here.stay(-2, 0, '102');
    const stay = await inHouse(here);
    const { status, body } = await assign(here, stay, '102');
    expect([status, body.data.unitId]).toEqual([200, here.rooms['102']]);
    expect(body.data.segments).toMatchObject([
      { unitId: here.rooms['101'], from: day(-2), until: day(0) },
      { unitId: here.rooms['102'], from: day(0), until: day(3) },
    ]);
    expect(await cleanings(here, stay)).toEqual([`101 ${day(0)}`, `102 ${day(3)}`]);
    expect(await statusOf(here, '101')).toBe('dirty');
    expect((await here.book(0, 3, '101')).status).toBe(201);
  });

  it('get a room of another type, and stay sold as theirs', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    const { body } = await assign(here, stay, '201', { force: true });
    expect(body.data).toMatchObject({ unitTypeId: here.types.Suite, bookedUnitTypeId: here.types.Double });
    expect(body.data.segments).toHaveLength(2);
  });

  it('no longer get the room that was planned, and leave theirs to be cleaned now', async () => {
    const here = await hotel();
    const stay = await inHouse(here, 0);
    await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(2) });
    const { body } = await assign(here, stay, '103');
    expect(body.data.segments).toMatchObject([{ unitId: here.rooms['103'], from: day(0), until: day(3) }]);
    expect(await cleanings(here, stay)).toEqual([`101 ${day(0)}`, `103 ${day(3)}`]);
  });

  it('learn which rooms are free from tonight on where that one is not', async () => {
    const here = await hotel();
    await here.stay(1, 2, '102');
    const stay = await inHouse(here);
    const asked = await assign(here, stay, '102');
    expect(codeOf(asked)).toEqual([409, 'RESERVATION_OVERLAP']);
    const { wants, options } = asked.body.error.details.explanation;
    expect(wants).toMatchObject({ unitId: here.rooms['102'], from: day(0), until: day(3) });
    expect(options[0]).toMatchObject({
      operation: 'moveReservation',
      input: { reservationId: stay.id, unitId: here.rooms['103'], from: day(0) },
    });
  });

  it.each(['assignUnit', 'moveReservation'])(
    'no longer get the room that was planned where %s keeps theirs',
    async (how) => {
      const here = await hotel();
      const stay = await inHouse(here);
      const before = await cleanings(here, stay);
      await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(1) });
      await here.act(stay, 'move', { unitId: here.rooms['103'], from: day(2) });
      const from = how === 'assignUnit' ? {} : { from: day(0) };
      const wanted = { reservationId: stay.id, unitId: here.rooms['101'], ...from };
      const { status, body } = await tenant.doors[door].ask(how, wanted);
      expect([status, body.data.unitId]).toEqual([200, here.rooms['101']]);
      expect(body.data.segments).toMatchObject([{ unitId: here.rooms['101'], from: day(-2), until: day(3) }]);
      expect(await cleanings(here, stay)).toEqual(before);
      expect(await statusOf(here, '101')).not.toBe('dirty');
      expect((await here.book(1, 3, '102')).status).toBe(201);
      const { body: again } = await tenant.doors[door].ask(how, wanted);
      expect(again.data.version).toBe(body.data.version);
    },
  );

  it('leave no room for the planned one that is theirs since midnight', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(1) });
    const before = await cleanings(here, stay);
    clock.set('2030-07-02T00:00:00Z');
    expect((await assign(here, stay, '102')).status).toBe(200);
    // The stay may have changed rooms since midnight, as planned, but not by this.
    const { body } = await tenant.api.get(`/events?subject=${stay.id}`);
    expect(body.data.map(({ type }: Json) => type)).not.toContain('reservation.unit_assigned');
    const daysOf = (some: string[]) => some.map((cleaning) => cleaning.split(' ')[1]);
    expect(daysOf(await cleanings(here, stay))).toEqual(daysOf(before));
  });

  it('get the planned room anyway where others have theirs from then on', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    const { body: planned } = await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(1) });
    await here.stay(1, 2, '101');
    const asked = await assign(here, stay, '101');
    expect(codeOf(asked)).toEqual([409, 'RESERVATION_OVERLAP']);
    const { wants } = asked.body.error.details.explanation;
    expect(wants).toMatchObject({ unitId: here.rooms['101'], from: day(1), until: day(3) });
    const { data } = (await tenant.api.get(`/reservations/${stay.id}`)).body;
    expect(data.segments).toEqual(planned.data.segments);
  });

  it('stay longer in their room instead of the planned one', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(1) });
    const wanted = { reservationId: stay.id, unitId: here.rooms['101'], from: day(0), checkOutDate: day(4) };
    const { body } = await tenant.doors[door].ask('moveReservation', wanted);
    expect(body.data.segments).toMatchObject([{ unitId: here.rooms['101'], from: day(-2), until: day(4) }]);
  });
});

it('the undo of an assignment in house leads back to the room and its nights', async () => {
  const here = await hotel();
  const stay = await inHouse(here);
  const before = await cleanings(here, stay);
  const { body } = await here.act(stay, 'assign-unit', { unitId: here.rooms['102'] });
  expect((await tenant.api.post('/changes/undo', { requestId: body.meta.requestId })).status).toBe(200);
  const { data } = (await tenant.api.get(`/reservations/${stay.id}`)).body;
  expect(data.segments).toMatchObject([{ unitId: here.rooms['101'], from: day(-2), until: day(3) }]);
  expect(await cleanings(here, stay)).toEqual(before);
});

describe.each(doorNames)('over %s, the other room is as it was', (door) => {
  const assign = async (here: Hotel, stay: Json, room: string): Promise<string> => {
    const asked = { reservationId: stay.id, unitId: here.rooms[room] };
    const { body } = await tenant.doors[door].ask('assignUnit', asked);
    return body.meta.requestId as string;
  };
  const undo = async (requestId: string): Promise<string> => {
    const { status, body } = await tenant.doors[door].ask('undoChanges', { requestId });
    expect(status).toBe(200);
    return body.meta.requestId as string;
  };

  it.each([
    ['on the day of their arrival', 0],
    ['later', -2],
  ])('if an assignment %s is undone before a night', async (_, from) => {
    const here = await hotel();
    const stay = await inHouse(here, from);
    const before = await cleanings(here, stay);
    const undone = await undo(await assign(here, stay, '102'));
    expect([await statusOf(here, '101'), await statusOf(here, '102')]).toEqual(['clean', 'clean']);
    expect(await cleanings(here, stay)).toEqual(before);
    await undo(undone);
    expect([await statusOf(here, '101'), await statusOf(here, '102')]).toEqual(['dirty', 'clean']);
    expect(await cleanings(here, stay)).toEqual([`101 ${day(0)}`, `102 ${day(3)}`]);
  });

  it('if they go back before a night, but for the flags of guests', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    await assign(here, stay, '102');
    const { propertyId, rooms } = here;
    await tenant.doors[door].ask('setUnitStatus', { propertyId, unitId: rooms['102'], makeUpRoom: true });
    await assign(here, stay, '101');
    const { data } = (await tenant.doors[door].ask('getUnit', { propertyId, unitId: rooms['102'] })).body;
    expect(data).toMatchObject({ cleaningStatus: 'clean', makeUpRoom: false });
  });

  it('only if they have not slept in it', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    const assigned = await assign(here, stay, '102');
    clock.set('2030-07-02T08:00:00Z');
    const { propertyId, rooms } = here;
    await tenant.doors[door].ask('setUnitStatus', { propertyId, unitId: rooms['102'], cleaningStatus: 'clean' });
    await undo(assigned);
    expect(await statusOf(here, '102')).toBe('dirty');
  });
});
