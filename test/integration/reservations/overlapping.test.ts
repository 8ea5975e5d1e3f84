import type { Json } from '../../support/api.js';
import { pushedBy } from '../../support/factories.js';
import { day, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Stays that meet stays of another system, which is never refused. */
let tenant: Tenant;
let vendor: string;
beforeAll(async () => {
  tenant = await startTenant();
  vendor = await pushedBy(tenant.api);
});
afterAll(() => tenant.close());

const isFlagged = async ({ id }: Json): Promise<boolean> =>
  (await tenant.api.get(`/reservations/${id}`)).body.data.overlapping;
let made = 0;
async function pushed(stay: object, externalId = `S-${(made += 1)}`): Promise<Json> {
  const path = `/connections/${vendor}/reservations/${externalId}`;
  const { status, body } = await tenant.api.send('PUT', path, stay);
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data;
}

it('a stay that was booked here is cleared with the stay that it met, even where its type is crowded', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  const ours = await here.stay(10, 12, '101');
  const theirs = { propertyId: here.propertyId, checkInDate: day(10), checkOutDate: day(12) };
  await pushed({ ...theirs, unitId: here.rooms['101'] }, 'meets');
  for (let more = 0; more < 2; more += 1) await pushed({ ...theirs, unitTypeId: here.types.Double });
  expect(await isFlagged(ours)).toBe(true);
  await pushed({ status: 'cancelled' }, 'meets');
  expect(await isFlagged(ours)).toBe(false);
});

it('day uses are flagged while their hours meet in one unit', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  const hours = (from: string, until: string) => ({
    arrivalAt: `${day(3)}T${from}:00Z`,
    departureAt: `${day(3)}T${until}:00Z`,
  });
  const dates = { propertyId: here.propertyId, checkInDate: day(3), checkOutDate: day(3) };
  const ours = await here.stay(3, 3, '101', hours('10:00', '12:00'));
  const later = await here.stay(3, 3, '101', hours('13:00', '14:00'));
  const other = await here.stay(3, 3, '102', hours('10:00', '12:00'));
  const theirs = await pushed({ ...dates, unitId: here.rooms['101'], ...hours('11:00', '13:00') }, 'day-use');
  const flags = () => Promise.all([ours, later, other, theirs].map(isFlagged));
  expect(await flags()).toEqual([true, false, false, true]);
  await pushed(hours('12:00', '13:30'), 'day-use');
  expect(await flags()).toEqual([false, true, false, true]);
  await pushed({ unitId: here.rooms['102'], ...hours('09:00', '10:30') }, 'day-use');
  expect(await flags()).toEqual([false, false, true, true]);
  await pushed({ status: 'cancelled' }, 'day-use');
  expect(await flags()).toEqual([false, false, false, false]);
});

it('guests who are in one room at the same time are on its board, with a warning', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  const inHouse = { propertyId: here.propertyId, unitId: here.rooms['101'], stayStatus: 'checked_in' };
  const named = (name: string) => ({ primaryGuest: { name } });
  const first = await pushed({ ...inHouse, checkInDate: day(-1), checkOutDate: day(2), ...named('First') }, 'first');
  const second = { ...inHouse, checkInDate: day(0), checkOutDate: day(1), ...named('Second') };
  await pushed({ ...second, stayStatus: 'not_arrived' }, 'second');
  const shown = async (): Promise<string[]> => {
    const [{ occupancy, tonight, alsoTonight }] = (await tenant.api.get(`/properties/${here.propertyId}/board`)).body
      .data.units;
    return [occupancy, ...[tonight, ...alsoTonight].map(({ guestName }: Json) => guestName)];
  };
  const warningsOf = async ({ id }: Json): Promise<string[]> =>
    (await tenant.api.get(`/reservations/${id}`)).body.data.warnings;
  expect([await shown(), await warningsOf(first)]).toEqual([['in_house', 'First', 'Second'], []]);
  const arrived = await pushed(second, 'second');
  expect(await shown()).toEqual(['in_house', 'First', 'Second']);
  expect([await warningsOf(first), await warningsOf(arrived)]).toEqual([['unit_occupied'], ['unit_occupied']]);
});

it('a booking whose guests have come is not cancelled, and the reason names the guests', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  const dates = { checkInDate: day(0), checkOutDate: day(1) };
  await pushed({ propertyId: here.propertyId, unitId: here.rooms['101'], ...dates, stayStatus: 'checked_in' }, 'come');
  const path = `/connections/${vendor}/reservations/come`;
  const answers = [await tenant.api.send('DELETE', path), await tenant.api.send('PUT', path, { status: 'cancelled' })];
  for (const { status, body } of answers) {
    expect([status, body.error.message]).toEqual([
      409,
      expect.stringMatching(/^The guests have come, so the reservation/),
    ]);
  }
});
