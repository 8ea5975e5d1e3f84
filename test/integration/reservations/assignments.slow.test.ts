import pg from 'pg';
import { uuidIn } from '#persistence';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, keyWith } from '../../support/factories.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { performDue } from '../../support/jobs.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { Assignments } from '../../../src/features/reservations/assignments/assignments.service.js';
import { StayChanges } from '../../../src/features/reservations/stay-changes.service.js';
import { BlockEnds } from '../../../src/features/reservations/sweeps/block-ends.service.js';
import { RoomChanges } from '../../../src/features/reservations/sweeps/room-changes.service.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const plan = { Double: ['101', '102'], Single: ['1'], '': ['annex'] };
const turnover = {
  automaticTasks: [
    {
      name: 'Clean',
      type: 'cleaning',
      timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'departure', offsetMinutes: 120 } },
    },
  ],
};
const hotel = (rooms: Record<string, string[]> = plan): Promise<Hotel> => hotelOf(tenant.api, rooms, turnover);
const placesOfTasks = async ({ id }: Json): Promise<Json[]> =>
  (await tenant.api.get(`/tasks?reservationId=${id}`)).body.data.map(({ unitId }: Json) => unitId);

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object) => tenant.doors[door].ask(operation, input);

  it('a stay is assigned a unit of its type, and unassigned, with its work', async () => {
    const here = await hotel();
    const stay = await here.stay(0, 2, 'Double');
    const input = { reservationId: stay.id, unitId: here.rooms['102'] };
    expect(await placesOfTasks(stay)).toEqual([null]);
    expect((await ask('assignUnit', input)).body.data).toMatchObject({ occupies: 'unit', unitId: here.rooms['102'] });
    expect(await placesOfTasks(stay)).toEqual([here.rooms['102']]);
    expect((await here.act(stay, 'assign-unit', { unitId: here.rooms['101'] })).status).toBe(200);
    expect(await placesOfTasks(stay)).toEqual([here.rooms['101']]);
    const taken = await ask('unassignUnit', { reservationId: stay.id });
    expect(taken.body.data).toMatchObject({ occupies: 'unit_type', unitId: null, unitTypeId: here.types.Double });
    expect(await placesOfTasks(stay)).toEqual([null]);
  });

  it('free units are listed, best first', async () => {
    const here = await hotel({ Double: ['101', '102', '103', '104', '105'], Single: ['1'] });
    const set = (room: string, cleaningStatus: string) =>
      tenant.api.patch(`/properties/${here.propertyId}/units/${here.rooms[room]}`, { cleaningStatus });
    await set('101', 'dirty');
    await set('103', 'inspected');
    await here.stay(3, 5, '104');
    await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, {
      unitId: here.rooms['105'],
      from: day(4),
      kind: 'owner_use',
    });
    const list = async (input: object) => {
      const nights = { propertyId: here.propertyId, from: day(4), until: day(6) };
      const { body } = await ask('listAvailableUnits', { ...nights, ...input });
      return [body.data.map(({ name }: Json) => name), body.meta.pagination?.nextCursor];
    };
    expect(await list({ unitTypeId: here.types.Double })).toEqual([['103', '102', '101'], null]);
    expect(await list({ from: day(2), until: day(3), unitTypeId: here.types.Single })).toEqual([['1'], null]);
    const [first, cursor] = await list({ limit: 2 });
    expect([first, (await list({ limit: 2, cursor }))[0]]).toEqual([
      ['103', '1'],
      ['102', '101'],
    ]);
    const wrong = { propertyId: here.propertyId, from: day(4), until: day(4) };
    expect(codeOf(await ask('listAvailableUnits', wrong))).toEqual([400, 'NO_NIGHT_ASKED']);
    await here.stay(8, 9);
    expect(await list({ from: day(8), until: day(9) })).toEqual([[], null]);
  });

  it('units are listed that are free for the hours of a day use, for a later arrival, and for a stay itself', async () => {
    const here = await hotel({ Double: ['101', '102', '103'] });
    const hours = (from: string, until: string) => ({
      arrivalAt: `${day(4)}T${from}:00Z`,
      departureAt: `${day(4)}T${until}:00Z`,
    });
    const used = await here.stay(4, 4, '101', hours('10:00', '14:00'));
    const night = await here.stay(3, 4, '102');
    const list = async (input: object) => {
      const { body } = await ask('listAvailableUnits', {
        propertyId: here.propertyId,
        from: day(4),
        until: day(4),
        ...input,
      });
      return body.data?.map(({ name }: Json) => name) ?? codeOf({ status: 0, body })[1];
    };
    // The guests of 102 leave at noon.
    expect(await list({ fromTime: '09:00', untilTime: '10:00' })).toEqual(['101', '103']);
    expect(await list({ fromTime: '13:00', untilTime: '15:00' })).toEqual(['102', '103']);
    expect(await list({ fromTime: '13:00', untilTime: '15:00', reservationId: used.id })).toEqual([
      '101',
      '102',
      '103',
    ]);
    // Its own hours, unless others are given.
    expect(await list({ reservationId: used.id })).toEqual(['101', '103']);
    expect(await list({ reservationId: used.id, untilTime: '12:00' })).toEqual(['101', '103']);
    for (const wrong of [
      {},
      { fromTime: '09:00' },
      { untilTime: '09:00' },
      { fromTime: '09:00', untilTime: '09:00' },
      { until: day(5), untilTime: '09:00' },
    ])
      expect(await list(wrong)).toBe('NO_NIGHT_ASKED');
    // Guests who come at half past twelve find the day use in 101.
    expect(await list({ until: day(5), fromTime: '12:30' })).toEqual(['102', '103', '101']);
    expect(await list({ until: day(5), fromTime: '14:00' })).toEqual(['101', '102', '103']);
    expect(await list({ from: day(3) })).toEqual(['101', '103']);
    expect(await list({ from: day(3), reservationId: night.id })).toEqual(['101', '102', '103']);
    expect(await list({ until: day(5), reservationId: absentId('reservation') })).toBe('NOT_FOUND');
    const { key } = await keyWith(tenant.api, { scopes: ['properties:read'] });
    const blind = { propertyId: here.propertyId, from: day(3), until: day(4), reservationId: night.id };
    expect(codeOf(await tenant.doors[door].as(key).ask('listAvailableUnits', blind))[1]).toBe('NOT_FOUND');
    // A stay of nights does not take the hours that it is to have instead, in a room or in the whole property.
    const asDayUse = { from: day(3), until: day(3), fromTime: '18:00', untilTime: '20:00' };
    const onItsDay = { from: day(3), until: day(3), reservationId: night.id };
    expect(await list(onItsDay)).toBe('NO_NIGHT_ASKED');
    expect(await list(asDayUse)).toEqual(['101', '103']);
    expect(await list({ ...asDayUse, reservationId: night.id })).toEqual(['101', '102', '103']);
    const whole = await here.stay(8, 10);
    expect(await list({ from: day(9), until: day(9), fromTime: '09:00', untilTime: '10:00' })).toEqual([]);
    const itself = { from: day(9), until: day(9), fromTime: '09:00', untilTime: '10:00', reservationId: whole.id };
    expect(await list(itself)).toEqual(['101', '102', '103']);
    // Its own late departure, and its own time of arrival.
    const late = await here.stay(11, 12, '101', { departureAt: `${day(12)}T20:00:00Z` });
    expect(await list({ from: day(12), until: day(13) })).toEqual(['102', '103', '101']);
    expect(await list({ from: day(12), until: day(13), reservationId: late.id })).toEqual(['101', '102', '103']);
    const soon = await here.stay(12, 14, 'Double', { arrivalAt: `${day(12)}T09:00:00Z` });
    await here.stay(10, 12, '102');
    await here.stay(11, 12, '103', { departureAt: `${day(12)}T06:00:00Z` });
    expect(await list({ from: day(12), until: day(14), reservationId: soon.id })).toEqual(['103', '101', '102']);
    expect(await list({ from: day(3), until: day(2), fromTime: '09:00', untilTime: '10:00' })).toBe('NO_NIGHT_ASKED');
  });

  it('units whose guests are late come last, also for a day use', async () => {
    clock.set(`${day(0)}T06:00:00Z`);
    const here = await hotel({ Double: ['101', '102'] });
    await here.act(await here.stay(-1, 0, '101'), 'check-in');
    const { propertyId } = here;
    const listed = async (input: object) =>
      (await ask('listAvailableUnits', { propertyId, from: day(0), ...input })).body.data.map(({ name }: Json) => name);
    const both = () =>
      Promise.all([
        listed({ until: day(1), fromTime: '15:00' }),
        listed({ until: day(0), fromTime: '18:00', untilTime: '19:00' }),
      ]);
    expect(await both()).toEqual([
      ['101', '102'],
      ['101', '102'],
    ]);
    // They were to leave at noon.
    clock.set(`${day(0)}T12:30:00Z`);
    expect(await both()).toEqual([
      ['102', '101'],
      ['102', '101'],
    ]);
  });

  it('rejects hours that clocks leave out', async () => {
    const { body } = await tenant.api.post('/properties', { name: 'Spring', timezone: 'Europe/Berlin' });
    const asked = {
      propertyId: body.data.id,
      from: '2031-03-30',
      until: '2031-03-30',
      fromTime: '02:50',
      untilTime: '03:20',
    };
    expect(codeOf(await ask('listAvailableUnits', asked))[1]).toBe('NO_NIGHT_ASKED');
    expect((await ask('listAvailableUnits', { ...asked, fromTime: '03:00' })).status).toBe(200);
  });

  it('units that guests should have left come last, and are not free for a day use of today', async () => {
    const here = await hotel({ Double: ['101', '102', '103'] });
    const { propertyId, rooms } = here;
    const overdue = await here.stay(-2, -1, '101');
    await here.act(overdue, 'check-in');
    for (const unitId of [rooms['102'], rooms['103']])
      await tenant.api.patch(`/properties/${propertyId}/units/${unitId}`, { cleaningStatus: 'dirty' });
    const nights = { propertyId, from: day(0), until: day(2) };
    const listed = async () =>
      (await ask('listAvailableUnits', nights)).body.data.map(({ name }: Json) => name as string);
    expect(await listed()).toEqual(['102', '103', '101']);
    // No gap is left in the room that guests should have left, and it comes last anyway.
    await here.stay(1, 3, '102');
    await here.stay(3, 4, '103');
    const assigned = async (from: number, until: number, wishes?: object) => {
      const { id } = await here.stay(from, until, 'Double', wishes);
      const { body } = await ask('assignUnits', { propertyId, date: day(from) });
      const result = body.data.find(({ reservationId }: Json) => reservationId === id);
      return (result.unitId ?? result.error.code) as string;
    };
    expect(await assigned(0, 2)).toBe(rooms['103']);
    const hours = (on: number) => ({ arrivalAt: `${day(on)}T08:00:00Z`, departureAt: `${day(on)}T09:00:00Z` });
    await here.stay(-1, 1, '102');
    expect(await assigned(0, 0, hours(0))).toBe('NO_UNIT_AVAILABLE');
    expect(await assigned(0, 3)).toBe(rooms['101']);
    for (const room of ['102', '103']) await here.stay(4, 6, room);
    expect(await assigned(4, 4, hours(4))).toBe(rooms['101']);
  });

  it('arrivals of a day are assigned the units that leave the fewest gaps', async () => {
    const here = await hotel({ Double: ['101', '102', '103'], Single: ['1'] });
    await here.stay(3, 5, '102');
    await here.stay(8, 9, '102');
    await here.stay(6, 9, '103');
    const [long, exact] = [await here.stay(5, 9, 'Double'), await here.stay(5, 8, 'Double')];
    await here.book(5, 6, 'Single');
    await here.stay(6, 7, 'Double', { status: 'inquiry' });
    const { status, body } = await ask('assignUnits', { propertyId: here.propertyId, date: day(5) });
    expect(status).toBe(200);
    const found = Object.fromEntries(body.data.map(({ reservationId, unitId }: Json) => [reservationId, unitId]));
    expect([found[long.id], found[exact.id], body.data.length]).toEqual([here.rooms['101'], here.rooms['102'], 3]);
    expect((await ask('assignUnits', { propertyId: here.propertyId, date: day(5) })).body.data).toEqual([]);
  });

  it('a block is created, shown, changed and ended, and gives its unit back', async () => {
    const here = await hotel();
    const fields = { unitId: here.rooms['101'], from: day(0), until: day(4), kind: 'out_of_order', reason: 'Leak' };
    const created = await ask('createUnitBlock', { propertyId: here.propertyId, ...fields });
    const { id: blockId, createdAt: _createdAt, updatedAt: _updatedAt, ...block } = created.body.data;
    expect([created.status, block]).toEqual([
      201,
      { ...fields, propertyId: here.propertyId, returnStatus: 'dirty', taskId: null, endedAt: null, version: 1 },
    ]);
    const key = { propertyId: here.propertyId, blockId };
    const changed = await ask('updateUnitBlock', { ...key, until: null, returnStatus: 'inspected' });
    expect(changed.body.data).toMatchObject({ until: null, version: 2 });
    expect((await ask('getUnitBlock', key)).body.data).toEqual(changed.body.data);
    expect((await ask('listUnitBlocks', { propertyId: here.propertyId })).body.data).toEqual([changed.body.data]);
    const ended = await ask('endUnitBlock', key);
    expect(ended.body.data).toMatchObject({ until: day(0), endedAt: expect.any(String) });
    expect((await here.book(0, 2, '101')).status).toBe(201);
    const unit = await tenant.api.get(`/properties/${here.propertyId}/units/${here.rooms['101']}`);
    expect(unit.body.data.cleaningStatus).toBe('inspected');
    expect(codeOf(await ask('updateUnitBlock', { ...key, until: day(3) }))).toEqual([409, 'UNIT_BLOCK_ENDED']);
  });
});

describe('an assignment', () => {
  it('to another type requires force, and keeps the type that was sold', async () => {
    const here = await hotel();
    const stay = await here.stay(1, 3, 'Double');
    const other = { unitId: here.rooms['1'] };
    expect(codeOf(await here.act(stay, 'assign-unit', other))).toEqual([409, 'UNIT_OF_ANOTHER_TYPE']);
    const { body } = await here.act(stay, 'assign-unit', { ...other, force: true });
    expect(body.data).toMatchObject({ unitTypeId: here.types.Single, bookedUnitTypeId: here.types.Double });
    expect((await here.book(1, 3, 'Double')).status).toBe(201);
    expect((await here.book(1, 3, 'Double')).status).toBe(201);
    const full = await here.act(stay, 'unassign-unit');
    expect([codeOf(full), full.body.error.details.unitTypeId]).toEqual([[409, 'UNIT_TYPE_FULL'], here.types.Double]);
  });

  it('is rejected if the unit is taken, or the stay has ended', async () => {
    const here = await hotel();
    const stay = await here.stay(1, 3, 'Double');
    await here.stay(2, 4, '101');
    expect(codeOf(await here.act(stay, 'assign-unit', { unitId: here.rooms['101'] }))).toEqual([
      409,
      'RESERVATION_OVERLAP',
    ]);
    await here.act(stay, 'cancel');
    expect(codeOf(await here.act(stay, 'assign-unit', { unitId: here.rooms['102'] }))).toEqual([
      409,
      'RESERVATION_NOT_MOVABLE',
    ]);
  });

  it('is removed neither from guests in house nor if no type was sold', async () => {
    const here = await hotel();
    const guests = await here.stay(0, 3, '101');
    await here.act(guests, 'check-in');
    expect(codeOf(await here.act(guests, 'unassign-unit'))).toEqual([409, 'STAY_STATUS']);
    expect(codeOf(await here.act(await here.stay(0, 3, 'annex'), 'unassign-unit'))).toEqual([409, 'UNIT_WITHOUT_TYPE']);
  });

  it('lets the guests check in', async () => {
    const here = await hotel();
    const stay = await here.stay(0, 3, 'Double');
    expect(codeOf(await here.act(stay, 'check-in'))).toEqual([409, 'UNIT_NOT_ASSIGNED']);
    await here.act(stay, 'assign-unit', { unitId: here.rooms['101'] });
    expect((await here.act(stay, 'check-in')).status).toBe(200);
  });

  it('has one winner against a move into the same unit', async () => {
    const here = await hotel();
    const [waiting, other] = [await here.stay(1, 3, 'Double'), await here.stay(1, 3, '101')];
    const replies = await Promise.all([
      here.act(waiting, 'assign-unit', { unitId: here.rooms['102'] }),
      here.act(other, 'move', { checkInDate: day(1), checkOutDate: day(3), unitId: here.rooms['102'] }),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('of a day is rejected for each stay without a free unit', async () => {
    const here = await hotel({ Double: ['101', '102'] });
    await here.stay(6, 8, '101');
    await here.stay(2, 4, '102');
    const [short, long] = [await here.stay(3, 5, 'Double'), await here.stay(4, 8, '102')];
    await here.act(long, 'unassign-unit');
    await here.act(short, 'assign-unit', { unitId: here.rooms['101'] });
    const { body } = await tenant.api.post(`/properties/${here.propertyId}/assign-units`, { date: day(4) });
    expect(body.data).toEqual([{ reservationId: long.id, unitId: here.rooms['102'] }]);
    await here.act(long, 'unassign-unit');
    await here.stay(5, 6, '102');
    const again = await tenant.api.post(`/properties/${here.propertyId}/assign-units`, { date: day(4) });
    expect(again.body.data).toMatchObject([{ reservationId: long.id, error: { code: 'NO_UNIT_AVAILABLE' } }]);
  });

  it('of many arrivals is several transactions, so that bookings hardly wait', async () => {
    const rooms = Array.from({ length: 24 }, (_, index) => `${index + 1}`);
    const here = await hotel({ Double: rooms });
    for (const _ of rooms) await here.stay(1, 2, 'Double');
    const path = `/properties/${here.propertyId}/assign-units`;
    expect((await tenant.api.post(`${path}?dryRun=true`, { date: day(1) })).body.data).toHaveLength(24);
    const key = { 'Idempotency-Key': 'all-arrivals' };
    const { body } = await tenant.api.post(path, { date: day(1) }, key);
    expect(new Set(body.data.map(({ unitId }: Json) => unitId))).toEqual(new Set(Object.values(here.rooms)));
    expect((await tenant.api.post(path, { date: day(1) }, key)).body.data).toEqual(body.data);
    expect(await transactionsOf(here)).toBeGreaterThan(1);
  });

  it('assigns only the stays that waited when it began', async () => {
    const rooms = Array.from({ length: 13 }, (_, index) => `${index + 1}`);
    const here = await hotel({ Double: rooms });
    for (const _ of rooms.slice(1)) await here.stay(1, 2, 'Double');
    const give = jest.spyOn(Assignments.prototype, 'give');
    let late: Promise<Json> | undefined;
    give.mockImplementationOnce((...given) => {
      // It gets its turn between two slices.
      late = here.stay(1, 2, 'Double');
      give.mockRestore();
      return tenant.service.app.get(Assignments).give(...given);
    });
    const { body } = await tenant.api.post(`/properties/${here.propertyId}/assign-units`, { date: day(1) });
    const { id } = (await late) as Json;
    expect([body.data.length, body.data.some(({ reservationId }: Json) => reservationId === id)]).toEqual([12, false]);
    expect((await tenant.api.get(`/reservations/${id}`)).body.data.unitId).toBeNull();
  });
});

/** In how many transactions the stays of a hotel were assigned. */
async function transactionsOf({ propertyId }: Hotel): Promise<number> {
  const client = new pg.Client({ connectionString: tenant.service.database.url });
  await client.connect();
  const { rows } = await client.query(
    `select count(distinct transaction_id)::integer as number from events
      where property_id = $1 and type = 'reservation.unit_assigned'`,
    [uuidIn(propertyId)],
  );
  await client.end();
  return rows[0].number;
}

describe('a block', () => {
  const block = (here: Hotel, input: object) =>
    tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, { kind: 'out_of_order', ...input });

  it('removes its nights from what can be booked and assigned', async () => {
    const here = await hotel();
    const waiting = await here.stay(2, 4, 'Double');
    const { body } = await block(here, { unitId: here.rooms['101'], from: day(1), until: day(3) });
    const refused = await here.book(2, 4, '101');
    expect(codeOf(refused)).toEqual([409, 'UNIT_BLOCKED']);
    expect(refused.body.error.details.block).toMatchObject({ blockId: body.data.id, kind: 'out_of_order' });
    expect(codeOf(await here.act(waiting, 'assign-unit', { unitId: here.rooms['101'] }))).toEqual([
      409,
      'UNIT_BLOCKED',
    ]);
    const full = await here.book(1, 4, 'Double');
    expect(codeOf(full)).toEqual([409, 'UNIT_TYPE_FULL']);
    expect(full.body.error.details.nights).toEqual([{ date: day(2), units: 1, taken: 1 }]);
    expect((await here.book(3, 5, '101')).status).toBe(201);
  });

  it('that is out of service is only displayed', async () => {
    const here = await hotel();
    await block(here, { unitId: here.rooms['101'], from: day(1), kind: 'out_of_service' });
    expect((await here.book(2, 4, '101')).status).toBe(201);
  });

  it('of a unit does not affect a whole-property stay, with a warning', async () => {
    const here = await hotel();
    await block(here, { unitId: here.rooms['101'], from: day(1), until: day(3) });
    expect((await here.stay(2, 5)).warnings).toEqual(['unit_blocked']);
    expect((await here.stay(5, 7)).warnings).toEqual([]);
  });

  it('of a whole property blocks everything', async () => {
    const here = await hotel();
    expect((await block(here, { from: day(1), until: day(3), kind: 'owner_use' })).status).toBe(201);
    expect(codeOf(await here.book(2, 4))).toEqual([409, 'UNIT_BLOCKED']);
    expect(codeOf(await here.book(2, 4, 'annex'))).toEqual([409, 'UNIT_BLOCKED']);
    expect(codeOf(await here.book(2, 4, 'Double'))).toEqual([409, 'UNIT_TYPE_FULL']);
  });

  it('over confirmed stays is rejected, or with force takes the unit from future ones', async () => {
    const here = await hotel();
    const [soon, guests] = [await here.stay(4, 6, '101'), await here.stay(0, 3, '101')];
    await here.act(guests, 'check-in');
    const over = { unitId: here.rooms['101'], from: day(1), until: day(9) };
    const refused = await block(here, over);
    expect(codeOf(refused)).toEqual([409, 'RESERVATION_OVERLAP']);
    expect(refused.body.error.details.reservations.map(({ id }: Json) => id).sort()).toEqual(
      [soon.id, guests.id].sort(),
    );
    expect((await block(here, { ...over, force: true })).status).toBe(201);
    const unitOf = async ({ id }: Json) => (await tenant.api.get(`/reservations/${id}`)).body.data.unitId as string;
    expect([await unitOf(soon), await unitOf(guests)]).toEqual([null, here.rooms['101']]);
    expect(await placesOfTasks(soon)).toEqual([null]);
  });

  it('takes its unit from many stays by statements for all of them', async () => {
    const here = await hotel({ Double: ['101', '102'] });
    const stays = [await here.stay(1, 2, '101'), await here.stay(3, 4, '101'), await here.stay(5, 6, '101')];
    // One after the other, they would hold up bookings for seconds.
    const oneByOne = jest.spyOn(StayChanges.prototype, 'change');
    const forced = await block(here, { unitId: here.rooms['101'], from: day(0), force: true });
    expect([forced.status, oneByOne.mock.calls]).toEqual([201, []]);
    oneByOne.mockRestore();
    for (const stay of stays) {
      const { body } = await tenant.api.get(`/reservations/${stay.id}`);
      expect(body.data).toMatchObject({ unitId: null, unitTypeId: here.types.Double, overlapping: false, version: 2 });
      expect(await placesOfTasks(stay)).toEqual([null]);
    }
  });

  it('of a unit that stays of the type need is rejected without force', async () => {
    const here = await hotel();
    await here.stay(1, 3, 'Double');
    await here.stay(2, 4, 'Double');
    const full = await block(here, { unitId: here.rooms['101'], from: day(0) });
    expect(codeOf(full)).toEqual([409, 'UNIT_TYPE_FULL']);
    expect(full.body.error.details.nights).toEqual([{ date: day(2), units: 1, taken: 2 }]);
    const forced = await block(here, { unitId: here.rooms['101'], from: day(0), force: true });
    expect(forced.status).toBe(201);
    const change = (input: object) =>
      tenant.api.patch(`/properties/${here.propertyId}/unit-blocks/${forced.body.data.id}`, input);
    // It gives nights back, and the type does not need the remaining ones any more than before.
    expect((await change({ until: day(4), reason: 'Leak' })).body.data).toMatchObject({
      until: day(4),
      reason: 'Leak',
    });
    await here.stay(4, 5, 'Double');
    await here.stay(4, 5, 'Double');
    expect(codeOf(await change({ until: day(5) }))).toEqual([409, 'UNIT_TYPE_FULL']);
  });

  it('that is extended needs only the nights that it did not have', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101'] });
    await here.stay(10, 12, 'Double');
    await here.stay(14, 16, '101');
    const nights = { unitId: here.rooms['101'], from: day(10), until: day(12) };
    const { body } = await block(here, { ...nights, force: true });
    const changed = (input: object) =>
      tenant.api.patch(`/properties/${here.propertyId}/unit-blocks/${body.data.id}`, input);
    expect((await changed({ until: day(13) })).status).toBe(200);
    expect((await changed({ from: day(9) })).status).toBe(200);
    expect(codeOf(await changed({ until: day(15) }))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect(codeOf(await changed({ until: null }))).toEqual([409, 'RESERVATION_OVERLAP']);
    await here.stay(8, 9, 'Double');
    expect(codeOf(await changed({ from: day(7) }))).toEqual([409, 'UNIT_TYPE_FULL']);
    expect((await changed({ from: day(9), until: day(11) })).status).toBe(200);
  });

  it('has its nights in order and a task of its property', async () => {
    const here = await hotel();
    expect(codeOf(await block(here, { from: day(1), until: day(1) }))).toEqual([400, 'BLOCK_WITHOUT_NIGHT']);
    const repair = await tenant.api.post('/tasks', { name: 'Repair', propertyId: here.propertyId });
    const elsewhere = await tenant.api.post('/tasks', { name: 'Repair', propertyId: tenant.here });
    expect((await block(here, { from: day(1), taskId: elsewhere.body.data.id })).status).toBe(404);
    expect((await block(here, { from: day(1), taskId: repair.body.data.id })).status).toBe(201);
  });

  it('ends after its last night', async () => {
    const here = await hotel();
    const { body } = await block(here, { unitId: here.rooms['101'], from: day(1), until: day(3) });
    clock.set(`${day(3)}T00:00:01Z`);
    await performDue(tenant.service.app.get(BlockEnds));
    const path = `/properties/${here.propertyId}/unit-blocks/${body.data.id}`;
    expect((await tenant.api.get(path)).body.data).toMatchObject({
      until: body.data.until,
      endedAt: expect.any(String),
    });
    const unit = await tenant.api.get(`/properties/${here.propertyId}/units/${here.rooms['101']}`);
    expect(unit.body.data.cleaningStatus).toBe('dirty');
  });
});

describe('a planned room move', () => {
  it('moves the stay and its work to the other room when its night arrives', async () => {
    const here = await hotel();
    const guests = await here.stay(0, 5, '101');
    await here.act(guests, 'check-in');
    await here.act(guests, 'move', { unitId: here.rooms['102'], from: day(2) });
    expect((await placesOfTasks(guests)).sort()).toEqual([here.rooms['101'], here.rooms['101']].sort());
    clock.set(`${day(2)}T00:00:01Z`);
    await performDue(tenant.service.app.get(RoomChanges));
    expect((await tenant.api.get(`/reservations/${guests.id}`)).body.data).toMatchObject({ unitId: here.rooms['102'] });
    expect((await placesOfTasks(guests)).sort()).toEqual([here.rooms['101'], here.rooms['102']].sort());
  });
});
