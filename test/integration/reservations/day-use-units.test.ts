import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** A day use takes no night, so the hours of other guests decide which units are free for it. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T06:00:00Z'));
afterEach(() => clock.restore());

const times = { checkInTime: '15:00', checkOutTime: '11:00' };
const hotel = (...names: string[]): Promise<Hotel> => hotelOf(tenant.api, { Double: names }, times);
const hours = (from: string, until: string, on = 0) => ({
  arrivalAt: `${day(on)}T${from}:00Z`,
  departureAt: `${day(on)}T${until}:00Z`,
});
const dayUse = (here: Hotel, place: string, from: string, until: string, on = 0): Promise<Json> =>
  here.stay(on, on, place, hours(from, until, on));
const block = (here: Hotel, room: string): Promise<Json> =>
  tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, {
    unitId: here.rooms[room],
    from: day(0),
    kind: 'out_of_order',
  });

describe.each(doorNames)('over %s', (door) => {
  const assign = async ({ propertyId }: Hotel, on = 0): Promise<Json[]> =>
    (await tenant.doors[door].ask('assignUnits', { propertyId, date: day(on) })).body.data;

  it('a day use is assigned a unit in which nobody else is during its hours', async () => {
    const here = await hotel('blocked', 'slept in', 'arrived at', 'used', 'free');
    await block(here, 'blocked');
    await here.stay(-1, 2, 'slept in');
    await here.stay(0, 2, 'arrived at');
    await dayUse(here, 'used', '15:00', '17:00');
    await here.stay(-2, 0, 'free');
    await here.stay(0, 1, 'free', { arrivalAt: `${day(0)}T16:00:00Z` });
    const [first, second] = [
      await dayUse(here, 'Double', '11:00', '16:00'),
      await dayUse(here, 'Double', '11:30', '15:30'),
    ];
    const results = Object.fromEntries((await assign(here)).map((one) => [one.reservationId, one]));
    expect(Object.keys(results).sort()).toEqual([first.id, second.id].sort());
    expect(Object.values(results).map(({ unitId, error }: Json) => unitId ?? error.code)).toEqual(
      expect.arrayContaining([here.rooms.free, 'NO_UNIT_AVAILABLE']),
    );
  });

  it('a day use has a warning where others are in its unit, or are to be, during its hours', async () => {
    const here = await hotel('slept in', 'arrived at', 'overdue', 'left', 'later', 'used');
    const guests = [await here.stay(-1, 2, 'slept in'), await here.stay(-3, -1, 'overdue')];
    for (const stay of guests) await here.act(stay, 'check-in');
    await here.stay(0, 2, 'arrived at');
    await here.stay(-2, 0, 'left');
    await here.stay(0, 1, 'left', { arrivalAt: `${day(0)}T16:00:00Z` });
    await here.stay(3, 6, 'later');
    await dayUse(here, 'used', '09:00', '11:00');
    const warnings = async (room: string, on: number): Promise<string[]> => {
      const place = {
        propertyId: here.propertyId,
        unitId: here.rooms[room],
        checkInDate: day(on),
        checkOutDate: day(on),
      };
      const { body } = await tenant.doors[door].ask('createReservation', { ...place, ...hours('11:00', '16:00', on) });
      return body.data.warnings;
    };
    const occupied = ['unit_occupied'];
    for (const room of ['slept in', 'arrived at', 'overdue']) expect(await warnings(room, 0)).toEqual(occupied);
    expect(await warnings('later', 4)).toEqual(occupied);
    expect([await warnings('left', 0), await warnings('used', 0), await warnings('overdue', 1)]).toEqual([[], [], []]);
  });

  it.each([
    ['a no-show that was released', 'no-show', 'undoNoShow'],
    ['a cancelled stay', 'cancel', 'reinstateReservation'],
  ])('%s does not get hours back that another day use has by then', async (_, verb, operation) => {
    const here = await hotel('101', '102');
    const stay = await dayUse(here, '101', '10:00', '14:00');
    await here.act(stay, verb, verb === 'no-show' ? { release: true } : {});
    const other = await dayUse(here, '101', '12:00', '16:00');
    const asked = await tenant.doors[door].ask(operation, { reservationId: stay.id });
    expect(codeOf(asked)).toEqual([409, 'NIGHTS_TAKEN']);
    const { reservations, explanation } = asked.body.error.details;
    expect(reservations.map(({ id }: Json) => id)).toEqual([other.id]);
    expect(explanation.holds).toMatchObject([{ type: 'reservation', id: other.id }]);
    await here.act(other, 'cancel');
    expect((await tenant.doors[door].ask(operation, { reservationId: stay.id })).status).toBe(200);
  });

  it('the unit of a day use is free once its guests have left, and no longer than that', async () => {
    const here = await hotel('101', '102');
    clock.set('2030-07-01T17:40:00Z');
    const left = await dayUse(here, '101', '17:40', '23:00');
    await here.act(left, 'check-in');
    expect(codeOf(await here.book(0, 0, '101', hours('19:00', '22:00')))).toEqual([409, 'RESERVATION_OVERLAP']);
    clock.set('2030-07-01T18:00:00Z');
    const { status } = await tenant.doors[door].ask('checkOutReservation', { reservationId: left.id });
    const waiting = await dayUse(here, 'Double', '18:00', '22:00');
    const next = await here.book(0, 0, '101', hours('19:00', '22:00'));
    expect([status, codeOf(next), next.body.data?.overlapping]).toEqual([200, [201, 'OK'], false]);
    expect(await assign(here)).toEqual([{ reservationId: waiting.id, unitId: here.rooms['102'] }]);
    const undone = await tenant.doors[door].ask('undoCheckOut', { reservationId: left.id });
    expect(codeOf(undone)).toEqual([409, 'NIGHTS_TAKEN']);
    await here.act(next.body.data, 'cancel');
    expect((await tenant.doors[door].ask('undoCheckOut', { reservationId: left.id })).status).toBe(200);
    expect(codeOf(await here.book(0, 0, '101', hours('19:00', '22:00')))).toEqual([409, 'RESERVATION_OVERLAP']);
  });

  it('a day use waits until the arrivals of the night have their units', async () => {
    const here = await hotel('101', '102');
    const [use, night] = [await dayUse(here, 'Double', '14:00', '18:00', 1), await here.stay(1, 2, 'Double')];
    await here.stay(2, 3, '102');
    const found = Object.fromEntries(
      (await assign(here, 1)).map(({ reservationId, unitId }) => [reservationId, unitId]),
    );
    expect(found).toEqual({ [night.id]: here.rooms['102'], [use.id]: here.rooms['101'] });
  });

  describe('of the free units, those in which others are at the arrival come last', () => {
    const listed = async ({ propertyId }: Hotel): Promise<string[]> => {
      const nights = { propertyId, from: day(0), until: day(2) };
      return (await tenant.doors[door].ask('listAvailableUnits', nights)).body.data.map(({ name }: Json) => name);
    };
    const given = async (here: Hotel, at: string): Promise<string> => {
      const stay = await here.stay(0, 2, 'Double', { arrivalAt: `${day(0)}T${at}:00Z` });
      const { unitId } = (await assign(here)).find(({ reservationId }) => reservationId === stay.id) as Json;
      await here.act(stay, 'cancel');
      return Object.entries(here.rooms).find(([, id]) => id === unitId)?.[0] as string;
    };

    /** As guests leave a room dirty, which is a reason of its own to offer others first. */
    const clean = ({ propertyId, rooms }: Hotel) =>
      tenant.api.patch(`/properties/${propertyId}/units/${rooms['101']}`, { cleaningStatus: 'inspected' });

    it('a day use that is in house, or is to come', async () => {
      const here = await hotel('101', '102');
      const use = await dayUse(here, '101', '09:00', '17:00');
      expect([await given(here, '10:00'), await given(here, '08:00'), await given(here, '17:00')]).toEqual([
        '102',
        '102',
        '101',
      ]);
      expect(await listed(here)).toEqual(['102', '101']);
      await here.act(use, 'check-in');
      expect([await given(here, '15:00'), await given(here, '17:00')]).toEqual(['102', '101']);
      clock.set('2030-07-01T18:00:00Z');
      expect([await given(here, '15:00'), await listed(here)]).toEqual(['102', ['102', '101']]);
      await here.act(use, 'check-out');
      await clean(here);
      expect([await given(here, '15:00'), await listed(here)]).toEqual(['101', ['101', '102']]);
      expect(await given(await hotel('101'), '15:00')).toBe('101');
    });

    it('guests with a late departure', async () => {
      const here = await hotel('101', '102');
      const late = await here.stay(-2, 0, '101', { departureAt: `${day(0)}T18:00:00Z` });
      expect([await given(here, '15:00'), await given(here, '18:00')]).toEqual(['102', '101']);
      await here.act(late, 'check-in');
      expect([await given(here, '15:00'), await listed(here)]).toEqual(['102', ['102', '101']]);
      clock.set('2030-07-01T19:00:00Z');
      expect([await given(here, '18:00'), await given(here, '20:00')]).toEqual(['102', '102']);
      await here.act(late, 'check-out');
      await clean(here);
      expect([await given(here, '15:00'), await listed(here)]).toEqual(['101', ['101', '102']]);
    });

    it('not guests who have left the unit for another one', async () => {
      const here = await hotel('101', '102', '103');
      const moved = await here.stay(-2, 2, '101');
      await here.act(moved, 'check-in');
      await here.act(moved, 'move', { unitId: here.rooms['103'], from: day(0) });
      await clean(here);
      expect([await given(here, '10:00'), await given(here, '15:00')]).toEqual(['102', '101']);
      clock.set('2030-07-01T19:00:00Z');
      expect([await given(here, '15:00'), await listed(here)]).toEqual(['101', ['101', '102']]);
    });
  });
});

it('a day use gets no unit in which guests are before their time, or which they leave for another one later that day', async () => {
  const here = await hotel('101', '102', '103');
  const [early, moving] = [await here.stay(1, 3, '101'), await here.stay(0, 3, '102')];
  await here.act(early, 'check-in', { early: true });
  await here.act(moving, 'check-in');
  await here.act(moving, 'move', { unitId: here.rooms['103'], from: day(1) });
  const codes = async (from: string, until: string) => {
    await dayUse(here, 'Double', from, until, 1);
    const { body } = await tenant.api.post(`/properties/${here.propertyId}/assign-units`, { date: day(1) });
    return body.data.map(({ unitId, error }: Json) => unitId ?? error.code);
  };
  expect(await codes('10:00', '12:00')).toEqual(['NO_UNIT_AVAILABLE']);
  expect(await codes('11:00', '13:00')).toEqual(expect.arrayContaining([here.rooms['102'], 'NO_UNIT_AVAILABLE']));
});

describe('what is offered where another day use is in the way', () => {
  const optionsOf = (refused: { status: number; body: Json }): [string, Json][] => {
    expect(codeOf(refused)).toEqual([409, 'RESERVATION_OVERLAP']);
    return refused.body.error.details.explanation.options.map(({ operation, input }: Json) => [operation, input]);
  };
  const asked = { checkInDate: '2030-07-01', checkOutDate: '2030-07-01' };

  it('is first the units that are free during the hours, then the same for the other day use', async () => {
    const here = await hotel('101', '102', '103');
    await here.stay(-1, 2, '102');
    const first = await dayUse(here, '101', '11:00', '16:00');
    const offered = async () => optionsOf(await here.book(0, 0, '101', hours('12:00', '14:00')));
    const { propertyId, rooms } = here;
    const times = { arrivalAt: '2030-07-01T12:00:00.000Z', departureAt: '2030-07-01T14:00:00.000Z' };
    const free = ['createReservation', { propertyId, unitId: rooms['103'], ...asked, ...times }];
    const given = ['assignUnit', { reservationId: first.id, unitId: rooms['103'] }];
    const waits = ['unassignUnit', { reservationId: first.id }];
    expect(await offered()).toEqual([free, given, waits]);
    await dayUse(here, '103', '15:00', '16:00');
    expect(await offered()).toEqual([free, waits]);
    const [[operation, input]] = (await offered()) as [[string, Json]];
    expect((await tenant.doors.rest.ask(operation, input)).status).toBe(201);
    expect(await offered()).toEqual([waits]);
  });

  it('is a move of a day use that is to be there, unless it is to have other hours', async () => {
    const here = await hotel('101', '102', '103');
    await dayUse(here, '101', '09:00', '12:00');
    const other = await dayUse(here, '102', '11:00', '13:00');
    const refused = await here.act(other, 'move', { ...asked, unitId: here.rooms['101'] });
    const [[operation, input]] = optionsOf(refused) as [[string, Json]];
    expect([operation, input.unitId]).toEqual(['moveReservation', here.rooms['103']]);
    expect((await tenant.doors.rest.ask(operation, input)).body.data).toMatchObject({ unitId: here.rooms['103'] });
    await dayUse(here, '103', '14:00', '16:00');
    const longer = tenant.api.patch(`/reservations/${other.id}`, { departureAt: '2030-07-01T15:00:00Z' });
    expect(optionsOf(await longer).map(([name]) => name)).toEqual(['assignUnit', 'unassignUnit']);
  });
});
