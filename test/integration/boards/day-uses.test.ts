import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Guests who come and leave on one day take no night, but people see them. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const double = { Double: ['101', '102'] };
const hours = (on: number, from: string, until: string, name: string) => ({
  arrivalAt: `${day(on)}T${from}:00Z`,
  departureAt: `${day(on)}T${until}:00Z`,
  primaryGuest: { name },
});
const read = async ({ propertyId }: Hotel, view: string): Promise<Json> =>
  (await tenant.api.get(`/properties/${propertyId}/${view}`)).body.data;
/** What a board says of each unit. */
const shown = async (here: Hotel, on = 0): Promise<string[]> =>
  (await read(here, `board?date=${day(on)}`)).units.map(({ name, occupancy, tonight, leaving, next }: Json) =>
    [name, occupancy, ...[tonight, leaving, next].map((stay) => (stay as Json)?.guestName ?? '-')].join(' '),
  );

it('a board shows a day use as a departure from before it comes until it has left, and before as the next arrival', async () => {
  const here = await hotelOf(tenant.api, double);
  const finn = await here.stay(0, 0, '101', hours(0, '11:00', '16:00', 'Finn'));
  await here.stay(2, 2, '102', hours(2, '11:00', '16:00', 'Next'));
  await here.stay(1, 3, '101', { arrivalAt: `${day(1)}T15:00:00Z`, primaryGuest: { name: 'Eva' } });
  await here.stay(1, 1, '101', hours(1, '09:00', '10:00', 'Mia'));
  expect(await shown(here)).toEqual(['101 due_in - Finn Mia', '102 vacant - - Next']);
  const { leaving } = (await read(here, 'board')).units[0];
  const local = { arrivalLocal: `${day(0)}T11:00`, departureLocal: `${day(0)}T16:00` };
  expect(leaving).toEqual({ reservationId: finn.id, guestName: 'Finn', ...local });
  await here.act(finn, 'check-in');
  expect(await shown(here)).toEqual(['101 due_out - Finn Mia', '102 vacant - - Next']);
  await here.act(finn, 'check-out');
  expect(await shown(here)).toEqual(['101 vacant - Finn Mia', '102 vacant - - Next']);
  expect(await shown(here, 1)).toEqual(['101 turnover Eva Mia -', '102 vacant - - Next']);
});

it('a board shows who leaves first of those who are still to leave', async () => {
  const here = await hotelOf(tenant.api, double);
  const ana = await here.stay(-1, 0, '101', { primaryGuest: { name: 'Ana' } });
  await here.act(ana, 'check-in');
  const finn = await here.stay(0, 0, '101', hours(0, '13:00', '16:00', 'Finn'));
  expect(await shown(here)).toEqual(['101 turnover - Ana -', '102 vacant - - -']);
  await here.act(ana, 'check-out');
  expect(await shown(here)).toEqual(['101 due_in - Finn -', '102 vacant - - -']);
  const whole = await here.stay(0, 0, '', hours(0, '17:00', '18:00', 'Party'));
  await here.act(finn, 'no-show', { release: true });
  expect(await shown(here)).toEqual(['101 due_in - Party -', '102 due_in - Party -']);
  await here.act(whole, 'cancel', {});
  await here.stay(0, 0, 'Double', hours(0, '17:00', '18:00', 'Waits'));
  expect(await shown(here)).toEqual(['101 vacant - Ana -', '102 vacant - - -']);
});

it('a tape chart has a segment without a night for a day use', async () => {
  const here = await hotelOf(tenant.api, double);
  const finn = await here.stay(0, 0, '101', hours(0, '11:00', '16:00', 'Finn'));
  const waits = await here.stay(1, 1, 'Double', hours(1, '11:00', '16:00', 'Waits'));
  const whole = await here.stay(2, 2, '', hours(2, '11:00', '16:00', 'Party'));
  await here.stay(3, 3, '101', hours(3, '11:00', '16:00', 'Later'));
  await here.act(finn, 'check-in');
  const { units, unassigned, wholeProperty } = await read(here, 'tape-chart?days=3');
  const on = (offset: number) => ({ from: day(offset), until: day(offset) });
  expect(units[0].segments).toMatchObject([{ reservationId: finn.id, stayStatus: 'checked_in', ...on(0) }]);
  expect(unassigned).toMatchObject([{ reservationId: waits.id, unitTypeId: here.types.Double, ...on(1) }]);
  expect(wholeProperty).toMatchObject([{ reservationId: whole.id, guestName: 'Party', ...on(2) }]);
  await here.act(finn, 'undo-check-in');
  await here.act(finn, 'cancel', {});
  expect((await read(here, 'tape-chart?days=3')).units[0].segments).toEqual([]);
});

it('a board shows guests who never arrived as leaving only on later dates', async () => {
  const here = await hotelOf(tenant.api, double);
  await here.stay(0, 1, '101', { primaryGuest: { name: 'Ana' } });
  expect((await shown(here, 1))[0]).toBe('101 due_out - Ana -');
  clock.set('2030-07-02T08:00:00Z');
  expect((await shown(here))[0]).toBe('101 vacant - - -');
});
