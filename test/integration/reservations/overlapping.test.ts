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
