import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { codeOf, day, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const doubles = { Double: ['101', '102'] };
const pick = (stay: Json, ...names: string[]) => Object.fromEntries(names.map((name) => [name, stay[name]]));
const nights = ['occupies', 'occupiedFrom', 'occupiedUntil', 'segments'];

describe('a stay takes', () => {
  it('a unit, a unit of a type, or the whole property', async () => {
    const { stay, types, rooms } = await hotelOf(tenant.api, doubles);
    const [from, until] = [day(10), day(12)];
    const dates = { occupiedFrom: from, occupiedUntil: until };
    const place = { unitId: rooms['101'], unitTypeId: types.Double };
    expect(pick(await stay(10, 12, '101'), ...nights, ...Object.keys(place), 'bookedUnitTypeId')).toEqual({
      ...dates,
      ...place,
      occupies: 'unit',
      bookedUnitTypeId: types.Double,
      segments: [{ ...place, from, until }],
    });
    expect(pick(await stay(10, 12, 'Double'), ...nights, 'unitId', 'unitTypeId')).toEqual({
      ...dates,
      occupies: 'unit_type',
      unitId: null,
      unitTypeId: types.Double,
      segments: [{ unitId: null, unitTypeId: types.Double, from, until }],
    });
    expect(pick(await stay(20, 22), ...nights)).toMatchObject({
      occupies: 'property',
      segments: [{ unitId: null, unitTypeId: null, from: day(20), until: day(22) }],
    });
  });

  it('no nights once it is cancelled', async () => {
    const { stay, act } = await hotelOf(tenant.api, doubles);
    const { body } = await act(await stay(1, 3), 'cancel');
    expect(pick(body.data, 'occupiedFrom', 'occupiedUntil', 'segments')).toEqual({
      occupiedFrom: null,
      occupiedUntil: null,
      segments: [],
    });
  });

  it('uses a place of the unit that it names, whose type it may name as well', async () => {
    const { book, types } = await hotelOf(tenant.api, { ...doubles, Single: ['1'] });
    expect((await book(1, 2, '1', { unitTypeId: types.Single })).status).toBe(201);
    expect(codeOf(await book(3, 4, '1', { unitTypeId: types.Double }))).toEqual([409, 'UNIT_OF_ANOTHER_TYPE']);
    const other = await hotelOf(tenant.api, doubles);
    expect((await book(5, 6, '', { unitTypeId: other.types.Double })).status).toBe(404);
  });
});

describe('nights are kept apart', () => {
  it('of a whole property and everything in it', async () => {
    const { stay, book, act } = await hotelOf(tenant.api, { ...doubles, '': ['annex'] });
    const villa = await stay(1, 8);
    for (const place of ['annex', '101', 'Double', '']) {
      const refused = await book(2, 5, place);
      expect(codeOf(refused)).toEqual([409, 'RESERVATION_OVERLAP']);
      expect(refused.body.error.details.reservations.map(({ id }: Json) => id)).toEqual([villa.id]);
    }
    await act(villa, 'cancel');
    for (const place of ['annex', '101', 'Double']) {
      const part = await stay(2, 5, place);
      expect(codeOf(await book(4, 9))).toEqual([409, 'RESERVATION_OVERLAP']);
      await act(part, 'cancel');
    }
    expect((await book(1, 8)).status).toBe(201);
  });

  it('by the number of units of a type, with or without an assigned unit', async () => {
    const { stay, book, types, act } = await hotelOf(tenant.api, doubles);
    await stay(1, 4, '101');
    const waiting = await stay(3, 6, 'Double');
    const full = await book(2, 5, 'Double');
    expect(codeOf(full)).toEqual([409, 'UNIT_TYPE_FULL']);
    expect(full.body.error.details).toMatchObject({
      unitTypeId: types.Double,
      nights: [{ date: day(3), units: 2, taken: 2 }],
    });
    expect(codeOf(await book(2, 5, '102'))).toEqual([409, 'UNIT_TYPE_FULL']);
    expect(codeOf(await book(2, 5, '101'))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await book(4, 6, 'Double')).status).toBe(201);
    await act(waiting, 'cancel');
    expect((await book(2, 4, 'Double')).status).toBe(201);
  });

  it('except for an inquiry until it is confirmed', async () => {
    const { stay, book } = await hotelOf(tenant.api, { Single: ['1'] });
    const inquiry = await stay(1, 3, 'Single', { status: 'inquiry' });
    await book(2, 3, 'Single');
    const confirmed = await tenant.api.patch(`/reservations/${inquiry.id}`, { status: 'confirmed' });
    expect(codeOf(confirmed)).toEqual([409, 'UNIT_TYPE_FULL']);
  });

  it('in a race: two last rooms for sixteen bookings', async () => {
    const { book } = await hotelOf(tenant.api, doubles);
    const replies = await Promise.all(Array.from({ length: 16 }, () => book(5, 8, 'Double')));
    expect(replies.map((reply) => codeOf(reply).join(' ')).sort()).toEqual([
      ...Array<string>(2).fill('201 OK'),
      ...Array<string>(14).fill('409 UNIT_TYPE_FULL'),
    ]);
  });

  it('in a race: one last room for eight bookings', async () => {
    const { book } = await hotelOf(tenant.api, doubles);
    await book(5, 8, 'Double');
    const replies = await Promise.all(Array.from({ length: 8 }, () => book(5, 8, 'Double')));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('when units are archived or get another type', async () => {
    const { stay, types, rooms, propertyId } = await hotelOf(tenant.api, { ...doubles, Single: ['1'] });
    const unit = `/properties/${propertyId}/units/${rooms['102']}`;
    const stays = [await stay(1, 3, 'Double'), await stay(2, 4, 'Double')];
    const nightsFull = { unitTypeId: types.Double, nights: [{ date: day(2), units: 1, taken: 2 }] };
    for (const refused of [
      await tenant.api.post(`${unit}/archive`),
      await tenant.api.patch(unit, { unitTypeId: types.Single }),
      await tenant.api.patch(unit, { unitTypeId: null }),
    ]) {
      expect(codeOf(refused)).toEqual([409, 'UNIT_TYPE_FULL']);
      expect(refused.body.error.details).toMatchObject(nightsFull);
    }
    await tenant.api.post(`/reservations/${stays[0].id}/cancel`);
    expect((await tenant.api.patch(unit, { unitTypeId: types.Single })).status).toBe(200);
  });

  it('and a stay in a unit follows the unit’s new type', async () => {
    const { stay, book, types, rooms, propertyId } = await hotelOf(tenant.api, { ...doubles, Single: ['1'] });
    const { id } = await stay(1, 3, '102');
    await tenant.api.patch(`/properties/${propertyId}/units/${rooms['102']}`, { unitTypeId: types.Single });
    const { data } = (await tenant.api.get(`/reservations/${id}`)).body;
    expect(pick(data, 'unitTypeId', 'bookedUnitTypeId', 'version')).toEqual({
      unitTypeId: types.Single,
      bookedUnitTypeId: types.Double,
      version: 2,
    });
    const statuses = [await book(1, 3, 'Single'), await book(1, 3, 'Single'), await book(1, 3, 'Double')];
    expect(statuses.map(({ status }) => status)).toEqual([201, 409, 201]);
  });
});

describe('a day use', () => {
  const hours = (from: number, until: number, offset = 3) => ({
    arrivalAt: `${day(offset)}T${String(from).padStart(2, '0')}:00:00Z`,
    departureAt: `${day(offset)}T${String(until).padStart(2, '0')}:00:00Z`,
  });

  it('takes no night, and conflicts only with overlapping hours at the same place', async () => {
    const { stay, book } = await hotelOf(tenant.api, doubles);
    await stay(1, 8, '101');
    const use = await stay(3, 3, '101', hours(9, 12));
    expect(pick(use, 'occupiedFrom', 'occupiedUntil', 'segments')).toEqual({
      occupiedFrom: null,
      occupiedUntil: null,
      segments: [],
    });
    expect(codeOf(await book(3, 3, '101', hours(11, 13)))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await book(3, 3, '101', hours(12, 13))).status).toBe(201);
    expect((await book(3, 3, '102', hours(11, 13))).status).toBe(201);
    expect((await book(3, 3, 'Double', hours(9, 13))).status).toBe(201);
    expect((await book(3, 3, 'Double', hours(9, 13))).status).toBe(201);
  });

  it('has its hours in order', async () => {
    const { book } = await hotelOf(tenant.api, doubles);
    expect(codeOf(await book(3, 3, '101', hours(12, 12)))).toEqual([400, 'STAY_WITHOUT_A_NIGHT']);
    expect(codeOf(await book(3, 2, '101'))).toEqual([400, 'STAY_WITHOUT_A_NIGHT']);
  });

  it('in a race has one winner', async () => {
    const { book } = await hotelOf(tenant.api, doubles);
    const replies = await Promise.all(Array.from({ length: 6 }, () => book(3, 3, '101', hours(9, 12))));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(5).fill(409)]);
  });
});

describe('more guests than beds', () => {
  it('cause a warning, by the unit or else by the type', async () => {
    const { stay, propertyId, rooms, types } = await hotelOf(tenant.api, doubles);
    await tenant.api.patch(`/properties/${propertyId}/unit-types/${types.Double}`, { capacity: 2 });
    await tenant.api.patch(`/properties/${propertyId}/units/${rooms['101']}`, { capacity: 3 });
    const three = { guestCounts: { adults: 2, children: 1, pets: 5 } };
    expect((await stay(1, 2, '101', three)).warnings).toEqual([]);
    expect((await stay(1, 2, 'Double', three)).warnings).toEqual(['over_capacity']);
    const { id } = await stay(3, 4, '102', three);
    expect((await tenant.api.get(`/reservations/${id}`)).body.data.warnings).toEqual(['over_capacity']);
  });
});

describe('a stay of another system', () => {
  it('is never rejected, and counts against all others', async () => {
    const { propertyId, book, stay } = await hotelOf(tenant.api, doubles);
    const before = await stay(7, 9, '101');
    const settings = { propertyId };
    await tenant.api.post('/connections', { provider: 'simulator', kind: 'pms', name: 'PMS', settings });
    const { data } = (await tenant.api.get(`/reservations?propertyId=${propertyId}&sort=checkInDate`)).body;
    const theirs = (data as Json[]).find(({ confirmationCode }) => confirmationCode === 'SIM-1001');
    expect([theirs.overlapping, theirs.checkInDate]).toEqual([true, day(7)]);
    expect((await tenant.api.get(`/reservations/${before.id}`)).body.data.overlapping).toBe(true);
    expect(codeOf(await book(7, 8, 'Double'))).toEqual([409, 'RESERVATION_OVERLAP']);
    await tenant.api.post(`/reservations/${before.id}/cancel`);
    expect((await tenant.api.get(`/reservations/${theirs.id}`)).body.data.overlapping).toBe(false);
  });

  it('is flagged while its type is oversold', async () => {
    const { propertyId, stay, types, rooms } = await hotelOf(tenant.api, doubles);
    const [first] = [await stay(7, 9, '101'), await stay(8, 10, 'Double')];
    const pushed = { provider: 'push', kind: 'pms', name: 'Vendor', settings: { propertyId } };
    const { data: connection } = (await tenant.api.post('/connections', pushed)).body;
    const name = `/connections/${connection.id}/reservations/R-1`;
    const wanted = { propertyId, unitTypeId: types.Double, checkInDate: day(8), checkOutDate: day(11) };
    const { data } = (await tenant.api.send('PUT', name, wanted)).body;
    expect(data.overlapping).toBe(true);
    const isFlagged = async (): Promise<boolean> =>
      (await tenant.api.get(`/reservations/${data.id}`)).body.data.overlapping;
    await tenant.api.post(`/reservations/${first.id}/cancel`);
    expect(await isFlagged()).toBe(false);
    const blocks = `/properties/${propertyId}/unit-blocks`;
    const block = { unitId: rooms['101'], from: day(8), kind: 'out_of_order', force: true };
    const made = await tenant.api.post(blocks, block);
    expect(await isFlagged()).toBe(true);
    const address = `${blocks}/${made.body.data.id}`;
    await tenant.api.patch(address, { from: day(10) });
    expect(await isFlagged()).toBe(false);
    await tenant.api.patch(address, { from: day(8), force: true });
    expect(await isFlagged()).toBe(true);
    await tenant.api.post(`${address}/end`);
    expect(await isFlagged()).toBe(false);
  });

  it('is counted against the units of its own type, without those that are blocked and empty', async () => {
    const { propertyId, types, rooms } = await hotelOf(tenant.api, { ...doubles, Single: ['1', '2'] });
    const { save, flagged } = await vendorAt(propertyId);
    const block = (unit: string, kind: string) =>
      tenant.api.post(`/properties/${propertyId}/unit-blocks`, { unitId: rooms[unit], from: day(8), kind });
    expect((await block('101', 'out_of_order')).status).toBe(201);
    expect((await block('1', 'out_of_service')).status).toBe(201);
    const inRoom = { unitId: rooms['101'] };
    const single = { unitTypeId: types.Single };
    await save({ R: inRoom, D1: { unitTypeId: types.Double }, S1: single });
    expect(await flagged()).toEqual([]);
    const later = { ...single, checkInDate: day(20), checkOutDate: day(21) };
    await save({ D2: { unitTypeId: types.Double }, S2: single, S3: later });
    expect(await flagged()).toEqual(['D2']);
  });

  it('has no unit while the whole property is blocked', async () => {
    const { propertyId, types } = await hotelOf(tenant.api, doubles);
    const block = { from: day(8), kind: 'owner_use' };
    expect((await tenant.api.post(`/properties/${propertyId}/unit-blocks`, block)).status).toBe(201);
    const { save, flagged } = await vendorAt(propertyId);
    await save({ D1: { unitTypeId: types.Double } });
    expect(await flagged()).toEqual(['D1']);
  });

  it('leaves those of our own unflagged', async () => {
    const { propertyId, act, stay, types } = await hotelOf(tenant.api, doubles);
    const [ours] = [await stay(8, 11, 'Double'), await stay(8, 10, 'Double')];
    const { save, flagged } = await vendorAt(propertyId);
    await save({ D1: { unitTypeId: types.Double } });
    expect(await flagged()).toEqual(['D1']);
    const { body } = await act(ours, 'move', { checkInDate: day(8), checkOutDate: day(10) });
    expect(body.data).toMatchObject({ checkOutDate: day(10), overlapping: false });
  });

  it('is not counted against archived units', async () => {
    const { propertyId, types, rooms } = await hotelOf(tenant.api, doubles);
    await tenant.api.post(`/properties/${propertyId}/units/${rooms['102']}/archive`);
    const { save, flagged } = await vendorAt(propertyId);
    await save({ D1: { unitTypeId: types.Double } });
    expect(await flagged()).toEqual([]);
    await save({ D2: { unitTypeId: types.Double } });
    expect(await flagged()).toEqual(['D2']);
  });
});

/** A system that saves stays of two nights, by their names, and the names of those that are flagged. */
async function vendorAt(propertyId: string) {
  const pushed = { provider: 'push', kind: 'pms', name: 'Vendor', settings: { propertyId } };
  const { data: connection } = (await tenant.api.post('/connections', pushed)).body;
  const dates = { propertyId, checkInDate: day(8), checkOutDate: day(10) };
  return {
    save: async (places: Record<string, object>): Promise<void> => {
      const items = Object.entries(places).map(([externalId, place]) => ({ externalId, ...dates, ...place }));
      const { body } = await tenant.api.post(`/connections/${connection.id}/reservations/bulk`, { items });
      expect((body.data as Json[]).map(({ outcome }) => outcome)).toEqual(items.map(() => 'created'));
    },
    flagged: async (): Promise<string[]> => {
      const { data } = (await tenant.api.get(`/reservations?propertyId=${propertyId}`)).body;
      const seen = (data as Json[]).filter(({ overlapping }) => overlapping);
      return seen.flatMap(({ externalRefs }) => externalRefs.map((ref: Json) => ref.externalId));
    },
  };
}
