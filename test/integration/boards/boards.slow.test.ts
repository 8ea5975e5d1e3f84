import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { keyWith, propertyOf, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { memberOf } from '../../support/behind-the-api.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const post = async (path: string, body: object = {}): Promise<Json> => {
  const reply = await tenant.api.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
};

interface Hotel {
  propertyId: string;
  typeId: string;
  /** By room name. */
  rooms: Record<string, string>;
  /** The stay of a guest between two days of July 2030. */
  book(guest: string, room: string | null, from: number, until: number): Promise<string>;
}

const day = (number: number): string => `2030-07-${String(number).padStart(2, '0')}`;
const at = (number: number, time: string): void => clock.set(`${day(number)}T${time}:00Z`);

/** Rooms on three floors in Lisbon, added in no particular order. */
async function hotel(): Promise<Hotel> {
  const propertyId = await propertyOf(tenant.api, 'Grand');
  // Occupied rooms become dirty at six in the morning, which would come between the steps of a test.
  await tenant.api.patch(`/properties/${propertyId}`, { roomStatusFollowsWork: false });
  const typeId = (await post(`/properties/${propertyId}/unit-types`, { name: 'Double' })).id;
  const rooms: Record<string, string> = {};
  for (const [name, floor] of [
    ['201', '2'],
    ['1002', '10'],
    ['102', '1'],
    ['101', '1'],
    ['Garden', null],
  ] as const) {
    const room = await post(`/properties/${propertyId}/units`, { name, floor, unitTypeId: typeId });
    rooms[name] = room.id;
  }
  const book = async (name: string, room: string | null, from: number, until: number): Promise<string> => {
    const place = { propertyId, ...(room ? { unitId: rooms[room] } : { unitTypeId: typeId }) };
    const dates = { checkInDate: day(from), checkOutDate: day(until) };
    return (await stayOf(tenant.api, { ...place, ...dates, primaryGuest: { name } })).id;
  };
  return { propertyId, typeId, rooms, book };
}

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('getRoomBoard shows each unit by floor and name, with its guests, departures and arrivals', async () => {
    at(1, '16:00');
    const { propertyId, typeId, rooms, book } = await hotel();
    const [ana, rui] = [await book('Ana', '101', 1, 3), await book('Rui', '101', 3, 5)];
    const eva = await book('Eva', '102', 1, 4);
    const max = await book('Max', '201', 3, 4);
    const gil = await book('Gil', '1002', 1, 3);
    const leo = await book('Leo', null, 3, 5);
    await book('Zoe', 'Garden', 25, 27);
    await book('Late', 'Garden', 27, 28);
    for (const id of [ana, eva, gil]) await post(`/reservations/${id}/check-in`);
    const units = async (date: number): Promise<Json[]> =>
      (await ask('getRoomBoard', { propertyId, date: day(date) })).body.data.units;
    const shown = async (date: number): Promise<string[]> =>
      (await units(date)).map(({ name, occupancy, tonight, leaving, next }) =>
        [name, occupancy, ...[tonight, leaving, next].map((stay) => (stay as Json)?.guestName ?? '-')].join(' '),
      );
    expect(await shown(1)).toEqual([
      '101 in_house Ana - Rui',
      '102 in_house Eva - -',
      '201 vacant - - Max',
      '1002 in_house Gil - -',
      'Garden vacant - - Zoe',
    ]);
    at(3, '07:00');
    const third = ['101 turnover Rui Ana -', '102 in_house Eva - -', '201 due_in Max - -', '1002 due_out - Gil -'];
    expect((await shown(3)).slice(0, 4)).toEqual(third);
    for (const id of [ana, gil]) await post(`/reservations/${id}/check-out`);
    await post(`/reservations/${max}/check-in`);
    await post(`/reservations/${rui}/no-show`);
    expect((await shown(3)).slice(0, 4)).toEqual([
      '101 vacant - Ana -',
      '102 in_house Eva - -',
      '201 in_house Max - -',
      '1002 vacant - Gil -',
    ]);
    const { data } = (await ask('getRoomBoard', { propertyId })).body;
    expect({ ...data, units: data.units[1] }).toEqual({
      propertyId,
      date: day(3),
      units: {
        unitId: rooms['102'],
        name: '102',
        unitTypeId: typeId,
        floor: '1',
        occupancy: 'in_house',
        noShow: null,
        tonight: {
          reservationId: eva,
          guestName: 'Eva',
          arrivalLocal: '2030-07-01T15:00',
          departureLocal: '2030-07-04T11:00',
        },
        alsoTonight: [],
        leaving: null,
        next: null,
        cleaningStatus: 'clean',
        doNotDisturb: false,
        makeUpRoom: false,
        block: null,
        openTasks: { count: 0, worstPriority: null },
        readiness: { ready: true, reasons: [] },
      },
      unassigned: [
        {
          unitTypeId: typeId,
          name: 'Double',
          reservations: [{ reservationId: leo, guestName: 'Leo', arrivalLocal: '2030-07-03T15:00' }],
        },
      ],
    });
  });

  it('getRoomBoard shows state, flags, open work and readiness, and a stay of the whole property in each unit', async () => {
    at(1, '16:00');
    const propertyId = await propertyOf(tenant.api);
    const [one, two] = [await unitOf(tenant.api, propertyId, '1'), await unitOf(tenant.api, propertyId, '2')];
    await post(`/properties/${propertyId}/units/${one}/status`, { cleaningStatus: 'dirty', doNotDisturb: true });
    const dates = { checkInDate: day(1), checkOutDate: day(2) };
    await stayOf(tenant.api, { propertyId, ...dates, primaryGuest: { name: 'Ana' } });
    for (const wishes of [
      { priority: 'high' },
      { priority: 'urgent' },
      { priority: 'low', dueAt: '2030-07-01T22:59:00Z' },
      { priority: 'low', dueAt: '2030-07-01T23:00:00Z' },
      { priority: 'low', canStartAt: '2030-07-09T12:00:00Z' },
    ])
      await taskOf(tenant.api, { propertyId, unitId: two, ...wishes });
    const board = async (key?: string) => (await ask('getRoomBoard', { propertyId }, key)).body.data.units;
    expect(await board()).toMatchObject([
      {
        occupancy: 'due_in',
        tonight: { guestName: 'Ana' },
        cleaningStatus: 'dirty',
        doNotDisturb: true,
        openTasks: { count: 0, worstPriority: null },
        readiness: { ready: false, reasons: ['not_clean'] },
      },
      {
        occupancy: 'due_in',
        tonight: { guestName: 'Ana' },
        doNotDisturb: false,
        openTasks: { count: 3, worstPriority: 'urgent' },
        readiness: { ready: false, reasons: ['open_urgent_task'] },
      },
    ]);
    const { key } = await keyWith(tenant.api, { scopes: ['reservations:read'] });
    expect((await board(key))[1].openTasks).toEqual({ count: 0, worstPriority: null });
  });

  it('a block is on the board and the chart of its unit, or of every unit, and keeps it from being ready', async () => {
    at(1, '16:00');
    const propertyId = await propertyOf(tenant.api);
    const [one, two] = [await unitOf(tenant.api, propertyId, '1'), await unitOf(tenant.api, propertyId, '2')];
    const blocks = `/properties/${propertyId}/unit-blocks`;
    const nights = { from: day(1), until: day(3) };
    const repair = await post(blocks, { unitId: one, ...nights, kind: 'out_of_order', reason: 'Leak' });
    const board = async (date: number): Promise<Json[]> =>
      (await ask('getRoomBoard', { propertyId, date: day(date) })).body.data.units;
    const block = { blockId: repair.id, kind: 'out_of_order', ...nights, reason: 'Leak' };
    const [blocked, other] = await board(2);
    expect([blocked?.block, blocked?.readiness.reasons]).toEqual([block, ['blocked']]);
    expect([other?.block, other?.readiness.reasons]).toEqual([null, []]);
    expect((await board(3))[0]?.block).toBeNull();
    const { data } = (await ask('getTapeChart', { propertyId })).body;
    expect(data.units.map((unit: Json) => unit.blocks)).toEqual([[block], []]);
    const { notReadyBecause } = (await ask('getProperty', { propertyId })).body.data;
    expect(notReadyBecause).toEqual(['blocked']);
    await post(blocks, { from: day(1), kind: 'owner_use' });
    expect((await board(1)).map((unit) => unit.readiness.reasons)).toEqual([['blocked'], ['blocked']]);
    expect((await board(9)).map((unit) => unit.block.kind)).toEqual(['owner_use', 'owner_use']);
    expect((await ask('getUnit', { propertyId, unitId: two })).body.data.notReadyBecause).toEqual(['blocked']);
    expect((await ask('getTapeChart', { propertyId })).body.data.blocks).toMatchObject([
      { kind: 'owner_use', until: null },
    ]);
  });

  it('getTapeChart shows stays by unit, and stays of a type or of the whole property beside them', async () => {
    at(1, '08:00');
    const { propertyId, typeId, book } = await hotel();
    await book('Ana', '101', 1, 3);
    await book('Rui', '101', 5, 8);
    await book('Leo', null, 2, 4);
    const { data } = (await ask('getTapeChart', { propertyId, from: day(2), days: 3 })).body;
    expect([data.from, data.days, data.wholeProperty, data.blocks]).toEqual([day(2), 3, [], []]);
    const stay = { guestName: 'Ana', from: day(1), until: day(3), stayStatus: 'not_arrived', groupRef: null };
    expect(data.units[0]).toMatchObject({ name: '101', segments: [stay], blocks: [] });
    expect(data.units.map(({ segments }: Json) => segments.length)).toEqual([1, 0, 0, 0, 0]);
    expect(data.unassigned).toMatchObject([{ guestName: 'Leo', unitTypeId: typeId, from: day(2), until: day(4) }]);
    const house = await propertyOf(tenant.api);
    await stayOf(tenant.api, { propertyId: house, checkInDate: day(1), checkOutDate: day(3) });
    const whole = (await ask('getTapeChart', { propertyId: house })).body.data;
    expect([whole.from, whole.days, whole.wholeProperty.length]).toEqual([day(1), 14, 1]);
    expect((await ask('getTapeChart', { propertyId, days: 93 })).status).toBe(400);
  });

  it('getDay shows arrivals, departures and guests in house, page by page, with the work there', async () => {
    at(1, '16:00');
    const { propertyId, rooms, book } = await hotel();
    const [ana, eva] = [await book('Ana', '101', 1, 3), await book('Eva', '102', 1, 9)];
    const [rui, gil, leo] = [
      await book('Rui', '101', 3, 5),
      await book('Gil', '1002', 1, 9),
      await book('Leo', null, 3, 4),
    ];
    await book('Max', 'Garden', 4, 5);
    const cancelled = await book('Gone', '201', 3, 5);
    await post(`/reservations/${cancelled}/cancel`);
    for (const id of [ana, eva, gil]) await post(`/reservations/${id}/check-in`);
    at(3, '09:00');
    await post(`/reservations/${gil}/check-out`);
    const member = await memberOf(tenant.service);
    const work = await taskOf(tenant.api, {
      name: 'Turn over',
      propertyId,
      unitId: rooms['101'],
      assigneeIds: [member],
      dueAt: '2030-07-03T13:00:00Z',
    });
    const names = ({ data }: Json): string[][] =>
      [data.arrivals, data.departures, data.inHouse].map((rows: Json[]) => rows.map(({ guestName }) => guestName));
    const { body } = await ask('getDay', { date: day(3), propertyId });
    expect([body.data.date, ...names(body)]).toEqual([day(3), ['Leo', 'Rui'], ['Gil', 'Ana'], ['Eva']]);
    const { openTasks, ...row } = body.data.arrivals[1];
    expect(row).toEqual({
      reservationId: rui,
      guestName: 'Rui',
      propertyId,
      propertyName: 'Grand',
      unitId: rooms['101'],
      unitName: '101',
      unitTypeName: 'Double',
      arrivalLocal: '2030-07-03T15:00',
      departureLocal: '2030-07-05T11:00',
      stayStatus: 'not_arrived',
      cleaningStatus: 'clean',
    });
    const states = [...body.data.departures, ...body.data.inHouse].map(({ stayStatus }: Json) => stayStatus);
    expect(states).toEqual(['checked_out', 'checked_in', 'checked_in']);
    const departures = body.data.departures.map(({ departureLocal }: Json) => departureLocal);
    expect(departures).toEqual(['2030-07-03T10:00', '2030-07-03T11:00']);
    const assignees = [expect.any(String)];
    expect(openTasks).toEqual([
      { id: work, name: 'Turn over', status: 'pending', dueLocal: '2030-07-03T14:00', assignees },
    ]);
    expect(body.data.arrivals[0]).toMatchObject({ reservationId: leo, unitId: null, cleaningStatus: null });
    const pages: string[][][] = [];
    let cursor: string | null = null;
    do {
      const reply: Json = await ask('getDay', { date: day(3), propertyId, limit: 2, ...(cursor && { cursor }) });
      pages.push(names(reply.body));
      cursor = reply.body.meta.pagination.nextCursor;
    } while (cursor);
    expect(pages).toEqual([
      [['Leo', 'Rui'], [], []],
      [[], ['Gil', 'Ana'], []],
      [[], [], ['Eva']],
    ]);
    const other = await ask('getDay', { date: day(4), propertyId, limit: 1 });
    expect((await ask('getDay', { date: day(5), cursor: other.body.meta.pagination.nextCursor })).status).toBe(400);
    expect(names((await ask('getDay', { date: day(5), propertyId })).body)).toEqual([[], ['Rui', 'Max'], ['Eva']]);
    // Gil, who was booked until then, left on the third.
    expect(names((await ask('getDay', { date: day(9), propertyId })).body)).toEqual([[], ['Eva'], []]);
  });

  it('guests who should have left before are still to leave today', async () => {
    at(1, '16:00');
    const { propertyId, book } = await hotel();
    const [ana, eva] = [await book('Ana', '101', 1, 3), await book('Eva', '102', 1, 3)];
    for (const id of [ana, eva]) await post(`/reservations/${id}/check-in`);
    at(4, '09:00');
    await book('Rui', '101', 4, 6);
    const shown = async (date: number): Promise<string[]> => {
      const { units } = (await ask('getRoomBoard', { propertyId, date: day(date) })).body.data;
      return units.slice(0, 2).map(({ occupancy, leaving }: Json) => [occupancy, leaving?.guestName ?? '-'].join(' '));
    };
    const leaving = async (date: number): Promise<Json[]> =>
      (await ask('getDay', { propertyId, date: day(date) })).body.data.departures;
    expect(await shown(4)).toEqual(['turnover Ana', 'due_out Eva']);
    expect((await leaving(4)).map(({ guestName }) => guestName)).toEqual(['Eva', 'Ana']);
    expect((await leaving(4))[1]).toMatchObject({ unitName: '101', departureLocal: `${day(3)}T11:00` });
    // Only today: on other days, plans are shown.
    expect([await shown(5), await leaving(5)]).toEqual([['in_house -', 'vacant -'], []]);
    await post(`/reservations/${ana}/check-out`);
    expect(await shown(4)).toEqual(['due_in -', 'due_out Eva']);
    expect((await leaving(4)).map(({ guestName }) => guestName)).toEqual(['Eva', 'Ana']);
    expect((await leaving(4))[1]).toMatchObject({ stayStatus: 'checked_out', departureLocal: `${day(4)}T10:00` });
    at(5, '09:00');
    expect((await leaving(5)).map(({ guestName }) => guestName)).toEqual(['Eva']);
  });

  it('shows a limited key only its property', async () => {
    at(1, '16:00');
    for (const [propertyId, name] of [
      [tenant.here, `Here ${door}`],
      [tenant.elsewhere, `Elsewhere ${door}`],
    ] as const) {
      const dates = door === 'rest' ? [day(11), day(12)] : [day(13), day(14)];
      const [checkInDate, checkOutDate] = dates;
      await stayOf(tenant.api, { propertyId, checkInDate, checkOutDate, primaryGuest: { name } });
    }
    const date = door === 'rest' ? day(11) : day(13);
    const { key } = tenant.limited;
    const { data } = (await ask('getDay', { date }, key)).body;
    expect(data.arrivals.map(({ guestName }: Json) => guestName)).toEqual([`Here ${door}`]);
    for (const operation of ['getDay', 'getRoomBoard', 'getTapeChart'])
      expect((await ask(operation, { propertyId: tenant.elsewhere }, key)).status).toBe(404);
  });
});
