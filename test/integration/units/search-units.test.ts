import { doorNames } from '../../support/doors.js';
import { type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let hotel: Hotel;
beforeAll(async () => {
  tenant = await startTenant();
  hotel = await hotelOf(tenant.api, { '': ['101', '102', '210', 'Loft 1'] });
});
afterAll(() => tenant.close());

describe.each(doorNames)('over %s', (door) => {
  const found = async (q: string) => {
    const { status, body } = await tenant.doors[door].ask('listAllUnits', { propertyId: hotel.propertyId, q });
    return status === 200 ? body.data.map(({ name }: { name: string }) => name).sort() : status;
  };

  it.each([
    ['10', ['101', '102', '210']],
    [' 10', ['101', '102', '210']],
    ['10  ', ['101', '102', '210']],
    ['t 1', ['Loft 1']],
    [' '.repeat(99) + '10', ['101', '102', '210']],
    ['  ', 400],
  ])('a search for "%s" finds %p', async (q, expected) => {
    expect(await found(q)).toEqual(expected);
  });
});
