import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const plan = { Double: ['101', '102'] };
const turnover = {
  automaticTasks: [
    {
      name: 'Clean',
      type: 'cleaning',
      timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'departure', offsetMinutes: 120 } },
    },
  ],
};
const hotel = (property: object = {}): Promise<Hotel> => hotelOf(tenant.api, plan, property);
const read = async ({ id }: Json): Promise<Json> => (await tenant.api.get(`/reservations/${id}`)).body.data;
const tasksOf = async ({ id }: Json): Promise<Json[]> =>
  (await tenant.api.get(`/tasks?reservationId=${id}&sort=createdAt`)).body.data;

async function inHouse({ stay, act }: Hotel, from: number, until: number, place = '101'): Promise<Json> {
  const { status, body } = await act(await stay(from, until, place), 'check-in');
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data;
}

describe('check-in', () => {
  it('is rejected before the day of arrival, except as an early check-in', async () => {
    const { stay, act } = await hotel();
    const soon = await stay(2, 4, '101');
    expect(codeOf(await act(soon, 'check-in'))).toEqual([400, 'STAY_NOT_YET_DUE']);
    expect(codeOf(await act(soon, 'no-show'))).toEqual([400, 'STAY_NOT_YET_DUE']);
    expect((await act(soon, 'check-in', { early: true })).body.data.stayStatus).toBe('checked_in');
  });

  it.each(doorNames)('says over %s how it could be early, which a no-show cannot be', async (door) => {
    const { id: reservationId } = await (await hotel()).stay(2, 4, '101');
    const messageOf = async (operation: string): Promise<string> =>
      (await tenant.doors[door].ask(operation, { reservationId })).body.error.message;
    const wait = 'The stay starts on a later day. Wait for that day';
    expect(await messageOf('checkInReservation')).toBe(`${wait}, or check in with early: true.`);
    expect(await messageOf('markNoShow')).toBe(`${wait}.`);
  });

  it('uses the local day of the property', async () => {
    const { stay, act } = await hotel({ timezone: 'Pacific/Kiritimati' });
    clock.set(`${day(0)}T11:00:00Z`);
    expect((await act(await stay(1, 3, '101'), 'check-in')).status).toBe(200);
    const west = await hotel({ timezone: 'Pacific/Midway' });
    clock.set(`${day(0)}T10:00:00Z`);
    expect(codeOf(await west.act(await west.stay(0, 3, '101'), 'check-in'))).toEqual([400, 'STAY_NOT_YET_DUE']);
  });

  it('needs a unit', async () => {
    const { stay, act } = await hotel();
    expect(codeOf(await act(await stay(0, 2, 'Double'), 'check-in'))).toEqual([409, 'UNIT_NOT_ASSIGNED']);
  });
});

it('guests who check in to a room in which others still are get a warning until these have left', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  const warningsOf = async ({ id }: Json) => (await tenant.api.get(`/reservations/${id}`)).body.data.warnings;
  const hours = { arrivalAt: `${day(0)}T01:00:00Z`, departureAt: `${day(0)}T23:00:00Z` };
  const overdue = await here.stay(-2, 0, '101');
  const [next, dayUse, moving] = [
    await here.stay(0, 2, '101'),
    await here.stay(0, 0, '102', hours),
    await here.stay(-1, 3, '102'),
  ];
  const occupied = ['unit_occupied'];
  expect((await here.act(overdue, 'check-in')).body.data.warnings).toEqual([]);
  // Those who have the night are late, and come during the hours of the day use.
  for (const stay of [dayUse, moving]) expect((await here.act(stay, 'check-in')).body.data.warnings).toEqual(occupied);
  const { status, body } = await here.act(next, 'check-in');
  expect([status, body.data.warnings]).toEqual([200, occupied]);
  expect([await warningsOf(overdue), await warningsOf(dayUse)]).toEqual([[], occupied]);
  await here.act(overdue, 'check-out');
  await here.act(dayUse, 'check-out');
  expect([await warningsOf(next), await warningsOf(moving)]).toEqual([[], []]);
  await here.act(next, 'check-out');
  expect(await warningsOf(next)).toEqual([]);
  const single = await here.stay(0, 1, '101');
  await here.act(single, 'check-in');
  clock.set(`${day(1)}T10:00:00Z`);
  const moved = await here.act(moving, 'move', { unitId: here.rooms['101'], from: day(0) });
  expect([moved.status, moved.body.data.warnings]).toEqual([200, ['unit_occupied']]);
});

describe('check-out', () => {
  it('frees the nights after the departure, and its undo takes them again', async () => {
    const here = await hotel();
    const guests = await inHouse(here, -2, 3);
    const left = await here.act(guests, 'check-out');
    expect(left.body.data).toMatchObject({
      checkOutDate: day(3),
      occupiedFrom: day(-2),
      occupiedUntil: day(0),
      segments: [{ unitId: here.rooms['101'], from: day(-2), until: day(0) }],
      departedAt: expect.any(String),
    });
    const next = await here.stay(1, 3, '101');
    const undone = await here.act(guests, 'undo-check-out');
    expect(codeOf(undone)).toEqual([409, 'NIGHTS_TAKEN']);
    expect(undone.body.error.details.reservations.map(({ id }: Json) => id)).toEqual([next.id]);
    await here.act(next, 'cancel');
    expect((await here.act(guests, 'undo-check-out')).body.data).toMatchObject({
      stayStatus: 'checked_in',
      occupiedUntil: day(3),
      departedAt: null,
    });
    expect(codeOf(await here.book(1, 3, '101'))).toEqual([409, 'RESERVATION_OVERLAP']);
  });

  it('on the day of arrival keeps no night, and after the booked departure takes none', async () => {
    const here = await hotel();
    const short = await here.act(await inHouse(here, 0, 3), 'check-out');
    expect(short.body.data).toMatchObject({ occupiedFrom: day(0), occupiedUntil: day(0), segments: [] });
    expect((await here.book(0, 3, '101')).status).toBe(201);
    const late = await here.act(await inHouse(here, -3, -1, '102'), 'check-out');
    expect(late.body.data).toMatchObject({ occupiedUntil: day(-1) });
  });

  it('may be recorded later, with a time between the arrival and now', async () => {
    const here = await hotel();
    const guests = await inHouse(here, -4, 3);
    const at = (offset: number) => ({ departedAt: new Date(Date.now() + offset * 86_400_000).toISOString() });
    for (const offset of [0.1, -6])
      expect(codeOf(await here.act(guests, 'check-out', at(offset)))).toEqual([400, 'DEPARTED_AT_IMPOSSIBLE']);
    expect((await here.act(guests, 'check-out', at(-2))).body.data.occupiedUntil).toBe(day(-2));
  });

  it('moves pending work to the real departure, and back', async () => {
    const here = await hotel(turnover);
    const guests = await inHouse(here, -2, 3);
    const [planned] = await tasksOf(guests);
    const { departedAt } = (await here.act(guests, 'check-out')).body.data;
    const due = new Date(Date.parse(departedAt) + 120 * 60_000).toISOString();
    expect(await tasksOf(guests)).toMatchObject([{ id: planned.id, canStartAt: departedAt, dueAt: due }]);
    await here.act(guests, 'undo-check-out');
    expect(await tasksOf(guests)).toMatchObject([{ canStartAt: planned.canStartAt, dueAt: planned.dueAt }]);
  });

  it('does not change work that has started', async () => {
    const here = await hotel(turnover);
    const guests = await inHouse(here, -2, 3);
    const [planned] = await tasksOf(guests);
    await tenant.api.post(`/tasks/${planned.id}/start`);
    await here.act(guests, 'check-out');
    expect(await tasksOf(guests)).toMatchObject([{ dueAt: planned.dueAt }]);
  });
});

describe('a no-show', () => {
  it.each(doorNames)(
    'that keeps its nights gives them up later over %s, and takes them back when that is undone',
    async (door) => {
      const { ask } = tenant.doors[door];
      const here = await hotelOf(tenant.api, { Double: ['101'] });
      const stay = await here.stay(0, 2, '101');
      const reservationId = stay.id;
      await ask('markNoShow', { reservationId });
      const onBoard = async () => {
        const { body } = await ask('getRoomBoard', { propertyId: here.propertyId });
        const { occupancy, tonight, noShow } = body.data.units[0];
        return [occupancy, tonight, noShow?.reservationId ?? null];
      };
      expect(await onBoard()).toEqual(['vacant', null, reservationId]);
      expect(codeOf(await ask('markNoShow', { reservationId }))).toEqual([409, 'STAY_STATUS']);
      const released = await ask('markNoShow', { reservationId, release: true });
      expect([released.status, released.body.data]).toEqual([200, expect.objectContaining({ occupiedFrom: null })]);
      expect(await onBoard()).toEqual(['vacant', null, null]);
      const again = await ask('markNoShow', { reservationId, release: true });
      expect([again.status, again.body.data.version]).toEqual([200, released.body.data.version]);
      expect((await ask('undoChanges', { requestId: released.body.meta.requestId })).status).toBe(200);
      const { body } = await ask('getReservation', { reservationId });
      expect(body.data).toMatchObject({ stayStatus: 'no_show', occupiedFrom: day(0) });
    },
  );

  it('keeps its nights, or releases them on request', async () => {
    const here = await hotel(turnover);
    const kept = await here.stay(0, 3, '101');
    expect((await here.act(kept, 'no-show')).body.data).toMatchObject({ occupiedUntil: day(3) });
    expect(codeOf(await here.book(1, 2, '101'))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await tasksOf(kept))[0].status).toBe('pending');
    expect((await here.act(kept, 'undo-no-show')).body.data.stayStatus).toBe('not_arrived');
    const released = await here.act(kept, 'no-show', { release: true });
    expect(released.body.data).toMatchObject({ status: 'confirmed', occupiedFrom: null, occupiedUntil: null });
    expect((await tasksOf(kept))[0].status).toBe('cancelled');
    expect((await here.book(1, 2, '101')).status).toBe(201);
  });

  it('is undone with its work, unless its nights are taken', async () => {
    const here = await hotel(turnover);
    const absent = await here.stay(0, 3, '101');
    const [task] = await tasksOf(absent);
    await here.act(absent, 'no-show', { release: true });
    const next = await here.stay(2, 4, '101');
    const refused = await here.act(absent, 'undo-no-show');
    expect([codeOf(refused), refused.body.error.details.reservations[0].id]).toEqual([[409, 'NIGHTS_TAKEN'], next.id]);
    await here.act(next, 'cancel');
    expect((await here.act(absent, 'undo-no-show')).body.data).toMatchObject({ occupiedUntil: day(3) });
    expect(await tasksOf(absent)).toMatchObject([{ id: task.id, status: 'pending', dueAt: task.dueAt }]);
  });

  it.each([{ release: true }, {}])('marked with %j can be cancelled', async (how) => {
    const here = await hotel();
    const absent = await here.stay(0, 3, '101');
    await here.act(absent, 'no-show', how);
    expect((await here.act(absent, 'cancel')).body.data.status).toBe('cancelled');
    expect((await here.act(absent, 'reinstate')).body.data).toMatchObject({
      status: 'confirmed',
      stayStatus: 'not_arrived',
      occupiedUntil: day(3),
    });
  });
});

describe('a cancelled stay', () => {
  it('is reinstated with its own work if its nights are free', async () => {
    const here = await hotel(turnover);
    const guests = await here.stay(4, 6, '101');
    const [task] = await tasksOf(guests);
    await here.act(guests, 'cancel', { reason: 'Ill' });
    const other = await here.stay(5, 6, '101');
    expect(codeOf(await here.act(guests, 'reinstate'))).toEqual([409, 'NIGHTS_TAKEN']);
    await here.act(other, 'cancel');
    expect((await here.act(guests, 'reinstate')).body.data).toMatchObject({
      status: 'confirmed',
      cancelledAt: null,
      cancellationReason: null,
    });
    expect(await tasksOf(guests)).toMatchObject([{ id: task.id, status: 'pending' }]);
    expect(codeOf(await here.act(guests, 'reinstate'))).toEqual([409, 'RESERVATION_STATUS']);
  });

  it('of a type that is full is not reinstated', async () => {
    const here = await hotel();
    const guests = await here.stay(4, 6, 'Double');
    await here.act(guests, 'cancel');
    await here.stay(4, 5, '101');
    await here.stay(3, 5, 'Double');
    const refused = await here.act(guests, 'reinstate');
    expect(codeOf(refused)).toEqual([409, 'NIGHTS_TAKEN']);
    expect(refused.body.error.details).toMatchObject({ unitTypeId: here.types.Double, reservations: [] });
  });

  it('keeps work as a person left it: cancelled before, or started', async () => {
    const here = await hotel({
      automaticTasks: [...turnover.automaticTasks, { ...turnover.automaticTasks[0], name: 'Linen' }],
    });
    const guests = await here.stay(4, 6, '101');
    const linen = (await tasksOf(guests)).find(({ name }) => name === 'Linen');
    await tenant.api.post(`/tasks/${linen.id}/cancel`);
    const clean = (await tasksOf(guests)).find(({ name }) => name === 'Clean');
    await tenant.api.post(`/tasks/${clean.id}/start`);
    await here.act(guests, 'cancel');
    await here.act(guests, 'reinstate');
    expect((await tasksOf(guests)).map(({ name, status }) => `${name} ${status}`).sort()).toEqual([
      'Clean in_progress',
      'Linen cancelled',
    ]);
  });
});

describe('a room move in house', () => {
  it('leaves the old room free from a night on, and creates cleaning tasks for both rooms', async () => {
    const here = await hotel(turnover);
    const guests = await inHouse(here, -2, 3);
    const moved = await here.act(guests, 'move', { unitId: here.rooms['102'], from: day(0) });
    expect(moved.body.data).toMatchObject({
      unitId: here.rooms['102'],
      checkInDate: day(-2),
      occupiedUntil: day(3),
      segments: [
        { unitId: here.rooms['101'], from: day(-2), until: day(0) },
        { unitId: here.rooms['102'], from: day(0), until: day(3) },
      ],
    });
    expect((await here.book(0, 3, '101')).status).toBe(201);
    expect(codeOf(await here.book(1, 2, '102'))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await tasksOf(guests)).map(({ unitId, type }) => [unitId, type])).toEqual([
      [here.rooms['102'], 'cleaning'],
      [here.rooms['101'], 'cleaning'],
    ]);
    const left = await here.act(guests, 'check-out');
    expect(left.body.data.segments).toEqual([
      { unitId: here.rooms['101'], unitTypeId: here.types.Double, from: day(-2), until: day(0) },
    ]);
  });

  it('that is planned shows today’s room until then', async () => {
    const here = await hotel();
    const guests = await inHouse(here, -1, 3);
    const moved = await here.act(guests, 'move', { unitId: here.rooms['102'], from: day(2) });
    expect(moved.body.data.unitId).toBe(here.rooms['101']);
    expect(moved.body.data.segments).toMatchObject([
      { unitId: here.rooms['101'], from: day(-1), until: day(2) },
      { unitId: here.rooms['102'], from: day(2), until: day(3) },
    ]);
    expect((await here.book(2, 3, '101')).status).toBe(201);
  });

  it('that replaces a planned one leaves no work of the other', async () => {
    const here = await hotel(turnover);
    const guests = await inHouse(here, -1, 4);
    await here.act(guests, 'move', { unitId: here.rooms['102'], from: day(2) });
    await here.act(guests, 'move', { unitId: here.rooms['102'], from: day(1) });
    const pending = (await tasksOf(guests)).filter(({ status }) => status === 'pending');
    expect(pending.map(({ canStartAt }) => canStartAt.slice(0, 10)).sort()).toEqual([day(1), day(4)]);
  });

  it('is rejected into a room that is taken, outside the stay, with dates beside it, or before the arrival', async () => {
    const here = await hotel();
    const to = { unitId: here.rooms['102'] };
    const guests = await inHouse(here, -2, 3);
    await here.stay(2, 4, '102');
    const move = (input: object) => here.act(guests, 'move', input);
    expect(codeOf(await move({ ...to, from: day(0) }))).toEqual([409, 'RESERVATION_OVERLAP']);
    for (const input of [
      { ...to, from: day(-1) },
      { ...to, from: day(3) },
      { from: day(0) },
      { ...to, from: day(0), checkInDate: day(-2), checkOutDate: day(3) },
    ])
      expect(codeOf(await move(input))).toEqual([400, 'MOVE_FROM_IMPOSSIBLE']);
    const later = await here.stay(6, 8, '101');
    expect(codeOf(await here.act(later, 'move', { ...to, from: day(6) }))).toEqual([400, 'MOVE_FROM_IMPOSSIBLE']);
    expect((await read(guests)).segments).toHaveLength(1);
  });
});

describe('races', () => {
  it('between an undo and a new booking have one winner', async () => {
    const here = await hotel();
    const guests = await inHouse(here, -2, 3);
    await here.act(guests, 'check-out');
    const [undone, booked] = await Promise.all([here.act(guests, 'undo-check-out'), here.book(0, 3, '101')]);
    expect([undone.status === 200, booked.status === 201].filter(Boolean)).toHaveLength(1);
  });
});
