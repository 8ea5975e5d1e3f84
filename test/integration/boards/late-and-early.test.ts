import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** What a day and the board show of guests who come on another day than they had booked. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const hotel = (): Promise<Hotel> => hotelOf(tenant.api, { Double: ['101', '102', '103', '104'] });
const named = (name: string) => ({ primaryGuest: { name } });

describe.each(doorNames)('over %s', (door) => {
  const ask = async (operation: string, input: object): Promise<Json> =>
    (await tenant.doors[door].ask(operation, input)).body.data;
  const names = async ({ propertyId }: Hotel, on: number): Promise<string[][]> => {
    const { arrivals, departures, inHouse } = await ask('getDay', { propertyId, date: day(on) });
    return [arrivals, departures, inHouse].map((rows: Json[]) => rows.map(({ guestName }) => guestName as string));
  };

  it('guests who have not arrived are late arrivals, up to today on their last day too', async () => {
    const here = await hotel();
    await here.stay(-2, 2, '101', named('Late'));
    await here.stay(-2, 0, '102', named('Gone'));
    await here.act(await here.stay(-2, 3, '103', named('Here')), 'check-in');
    await here.stay(1, 3, '104', named('Next'));
    expect(await names(here, -1)).toEqual([['Late', 'Gone'], [], ['Here']]);
    expect(await names(here, 0)).toEqual([['Late', 'Gone'], [], ['Here']]);
    expect(await names(here, 1)).toEqual([['Late', 'Next'], [], ['Here']]);
    expect(await names(here, 2)).toEqual([[], ['Late'], ['Here', 'Next']]);
    const first = await ask('getDay', { propertyId: here.propertyId });
    expect(first.arrivals[0]).toMatchObject({ stayStatus: 'not_arrived', arrivalLocal: `${day(-2)}T00:00` });
  });

  const board = async ({ propertyId }: Hotel, on: number): Promise<string[]> =>
    (await ask('getRoomBoard', { propertyId, date: day(on) })).units.map(
      ({ name, occupancy, tonight, leaving, next, alsoTonight }: Json) =>
        [name, occupancy, ...[tonight, leaving, next, ...alsoTonight].map((stay: Json) => stay?.guestName ?? '-')].join(
          ' ',
        ),
    );
  const free = async ({ propertyId }: Hotel): Promise<string[]> =>
    (await ask('listAvailableUnits', { propertyId, from: day(0), until: day(1) })).map(({ name }: Json) => name);
  const warningsOf = async (operation: string, input: object): Promise<string[]> =>
    (await ask(operation, input)).warnings;
  const place = ({ propertyId, rooms }: Hotel, from: number, until: number) => ({
    propertyId,
    unitId: rooms['101'],
    checkInDate: day(from),
    checkOutDate: day(until),
  });

  it('guests who come before their first night are in house in their room, which comes last', async () => {
    const here = await hotel();
    const stay = await here.stay(3, 5, '101', named('Early'));
    await here.stay(6, 7, '101', named('Next'));
    const { propertyId } = here;
    await ask('checkInReservation', { reservationId: stay.id, early: true });
    expect([await names(here, -1), await names(here, 0), await names(here, 3)]).toEqual([
      [[], [], []],
      [[], [], ['Early']],
      [['Early'], [], []],
    ]);
    const [vacant, inHouse] = ['101 vacant - - Early', '101 in_house Early - Next'];
    const days = await Promise.all([-1, 0, 2, 3].map((on) => board(here, on)));
    expect(days.map(([first]) => first)).toEqual([vacant.replace('Early', 'Next'), inHouse, inHouse, inHouse]);
    expect((await board(here, 0)).slice(1)).toEqual(['102', '103', '104'].map((name) => `${name} vacant - - -`));
    expect(await free(here)).toEqual(['102', '103', '104', '101']);
    const listed = async (on: number) =>
      (await ask('listReservations', { propertyId, inHouseOn: day(on) })).map(({ id }: Json) => id);
    expect([await listed(-1), await listed(0), await listed(5)]).toEqual([[], [stay.id], []]);
  });

  it('guests who come before their first night have a warning until the stay begins by then', async () => {
    const here = await hotel();
    const { id: reservationId } = await here.stay(3, 5, '101');
    expect(await warningsOf('checkInReservation', { reservationId, early: true })).toEqual(['nights_not_held']);
    expect(await warningsOf('getReservation', { reservationId })).toEqual(['nights_not_held']);
    const dates = { checkInDate: day(0), checkOutDate: day(5) };
    expect(await warningsOf('moveReservation', { reservationId, ...dates })).toEqual([]);
    expect((await here.book(0, 1, '101')).status).toBe(409);
  });

  it('others who have the room until then have a warning, and come to it today', async () => {
    const here = await hotel();
    const stay = await here.stay(3, 5, '101', named('Early'));
    await ask('checkInReservation', { reservationId: stay.id, early: true });
    const other = await ask('createReservation', { ...place(here, 0, 2), ...named('Other') });
    const reservationId = other.id;
    expect(other.warnings).toEqual(['unit_occupied']);
    expect(await warningsOf('createReservation', place(here, 5, 6))).toEqual([]);
    expect((await board(here, 0))[0]).toBe('101 in_house Early - - Other');
    expect((await board(here, 2))[0]).toBe('101 turnover Early Other -');
    expect(await warningsOf('checkInReservation', { reservationId })).toEqual(['unit_occupied']);
    await here.act(stay, 'check-out');
    expect(await warningsOf('getReservation', { reservationId })).toEqual([]);
    expect((await board(here, 0))[0]).toBe('101 in_house Other - -');
  });

  it('guests who leave late are in house on the day that they had booked, and leave on theirs', async () => {
    const here = await hotel();
    const stay = await here.stay(-2, 0, '101', named('Late'));
    await ask('checkInReservation', { reservationId: stay.id });
    clock.set('2030-07-02T10:00:00Z');
    const late = [
      [[], [], ['Late']],
      [[], ['Late'], []],
    ];
    // Also while they are still there.
    expect([await names(here, -1), await names(here, 0)]).toEqual(late);
    await ask('checkOutReservation', { reservationId: stay.id });
    expect([await names(here, -1), await names(here, 0)]).toEqual(late);
  });

  it('guests who leave days after their booked departure are in house on the days between', async () => {
    const here = await hotel();
    const { id: reservationId } = await here.stay(-1, 0, '101', named('Late'));
    await ask('checkInReservation', { reservationId });
    clock.set('2030-07-04T10:00:00Z');
    const shown = () => Promise.all([-3, -2, -1, 0, 1].map((on) => names(here, on)));
    const inHouse = [[], [], ['Late']];
    const expected = [inHouse, inHouse, inHouse, [[], ['Late'], []], [[], [], []]];
    expect(await shown()).toEqual(expected);
    const rooms = await Promise.all([-2, -1, 0, 1].map((on) => board(here, on)));
    expect(rooms.map(([first]) => first)).toEqual([
      '101 in_house Late - -',
      '101 in_house Late - -',
      '101 due_out - Late -',
      '101 vacant - - -',
    ]);
    const listed = [-3, -1, 0].map((on) =>
      ask('listReservations', { propertyId: here.propertyId, inHouseOn: day(on) }),
    );
    expect((await Promise.all(listed)).map((stays: Json) => stays.length)).toEqual([1, 1, 0]);
    await ask('checkOutReservation', { reservationId });
    expect(await shown()).toEqual(expected);
  });

  it('the tape chart has the nights on which guests are there before and after those that they have', async () => {
    const here = await hotel();
    const late = await here.stay(-1, 0, '101', named('Late'));
    const early = await here.stay(3, 5, '102', named('Early'));
    await here.stay(2, 3, '101', named('Next'));
    await ask('checkInReservation', { reservationId: late.id });
    await ask('checkInReservation', { reservationId: early.id, early: true });
    clock.set('2030-07-03T10:00:00Z');
    const chart = async (from: number, days = 7): Promise<string[][]> => {
      const { units } = await ask('getTapeChart', { propertyId: here.propertyId, from: day(from), days });
      return units
        .slice(0, 2)
        .map(({ segments }: Json) => segments.map((one: Json) => [one.guestName, one.from, one.until].join(' ')));
    };
    const [lateBefore, lateAfter] = [`Late ${day(-3)} ${day(-2)}`, `Late ${day(-2)} ${day(0)}`];
    const [next, before, booked] = [
      `Next ${day(0)} ${day(1)}`,
      `Early ${day(-2)} ${day(1)}`,
      `Early ${day(1)} ${day(3)}`,
    ];
    expect(await chart(-4)).toEqual([
      [lateBefore, lateAfter, next],
      [before, booked],
    ]);
    expect(await chart(0)).toEqual([
      [lateAfter, next],
      [before, booked],
    ]);
    expect(await chart(2, 3)).toEqual([[], [booked]]);
    // Those who leave on the first day are there until then.
    expect(await chart(3, 1)).toEqual([[], [booked]]);
    await here.act(late, 'check-out');
    expect((await chart(-4))[0]).toEqual([lateBefore, next]);
  });
});
