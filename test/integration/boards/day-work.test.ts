import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { afterDeparture, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** The open work that getDay lists with each stay. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const hotel = (): Promise<Hotel> =>
  hotelOf(tenant.api, { Double: ['101', '102'] }, { automaticTasks: [afterDeparture('Clean', 'cleaning', 60)] });
const named = (name: string, from: string, until: string) => ({
  arrivalAt: `${day(0)}T${from}:00Z`,
  departureAt: `${day(0)}T${until}:00Z`,
  primaryGuest: { name },
});
const plan = (input: object) => tenant.api.post('/tasks', input);

describe.each(doorNames)('over %s, a stay is listed with', (door) => {
  const work = async ({ propertyId }: Hotel): Promise<string[]> => {
    const { departures, inHouse, arrivals } = (await tenant.doors[door].ask('getDay', { propertyId })).body.data;
    return [...departures, ...inHouse, ...arrivals].map(({ guestName, unitName, openTasks }: Json) =>
      [guestName, unitName, ...openTasks.map(({ name, dueLocal }: Json) => [name, dueLocal?.slice(11)].join(' '))].join(
        ', ',
      ),
    );
  };

  it('the work in its room and in none, not with that in the room that its guests have left', async () => {
    const here = await hotel();
    const stay = await here.stay(-2, 3, '101', { primaryGuest: { name: 'Ana' } });
    await here.act(stay, 'check-in');
    await here.act(stay, 'assign-unit', { unitId: here.rooms['102'] });
    const { propertyId, rooms } = here;
    await plan({ name: 'Lamp', propertyId, unitId: rooms['102'] });
    await plan({ name: 'Flowers', propertyId, reservationId: stay.id, unitId: null });
    expect(await work(here)).toEqual([expect.stringMatching(/^Ana, 102, (Lamp , Flowers |Flowers , Lamp )$/)]);
  });

  it('the work in its room before it ends, not with that of later stays there', async () => {
    const here = await hotel();
    const ana = await here.stay(-1, 0, '101', { primaryGuest: { name: 'Ana' }, departureAt: `${day(0)}T09:00:00Z` });
    await here.act(ana, 'check-in');
    await here.stay(0, 0, '101', named('Finn', '11:00', '13:00'));
    await here.stay(0, 0, '101', named('Mia', '15:00', '17:00'));
    expect([...new Set(await work(here))].toSorted()).toEqual([
      'Ana, 101, Clean 10:00',
      'Finn, 101, Clean 10:00, Clean 14:00',
      'Mia, 101, Clean 10:00, Clean 14:00, Clean 18:00',
    ]);
  });
});
