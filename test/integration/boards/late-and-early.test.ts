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
});
