import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { propertyOf, stayOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let elsewhere: string;
/** All stays, newest first. */
const stays: Json[] = [];

/** An index finds stays by their number of nights up to 8, then by spans of 16, 64 and 256, and those that are longer. */
const lengths = [1, 2, 3, 8, 9, 16, 17, 64, 65, 256, 257, 700, 0];
/** One of them next to the day from which spans are counted. */
const [night, early] = ['2030-06-15', '2000-01-02'];
const daysFrom = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);

/** Of each length: one that ends on the morning of the night, one of which it is the last, one amid, one the first, and one that begins after it. */
beforeAll(async () => {
  tenant = await startTenant();
  elsewhere = await propertyOf(tenant.api);
  for (const [date, nights] of [night, early].flatMap((date) => lengths.map((nights) => [date, nights] as const))) {
    for (const [place, before] of [nights, nights - 1, Math.floor(nights / 2), 0, -1].entries()) {
      const checkInDate = daysFrom(date, -before);
      const dates = { checkInDate, checkOutDate: daysFrom(checkInDate, nights) };
      const dayUse = nights === 0 && { arrivalAt: `${checkInDate}T10:00:00Z`, departureAt: `${checkInDate}T14:00:00Z` };
      const at = { propertyId: place % 2 === 0 ? tenant.here : elsewhere, status: 'inquiry', channel: `${place % 3}` };
      stays.unshift(await stayOf(tenant.api, { ...at, ...dates, ...dayUse }));
    }
  }
});
afterAll(() => tenant.close());

const isOver = (date: string) => (stay: Json) => stay.checkInDate <= date && stay.checkOutDate > date;
const idsOf = (rows: Json[]): string[] => rows.map(({ id }) => id as string);

describe.each(doorNames)('the stays over a night, over %s', (door) => {
  async function pagesOf(input: object, key = tenant.key): Promise<string[]> {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const asked = { limit: 4, ...input, ...(cursor && { cursor }) };
      const { data, meta } = (await tenant.doors[door].as(key).ask('listReservations', asked)).body;
      seen.push(...idsOf(data));
      cursor = meta.pagination.nextCursor ?? undefined;
    } while (cursor);
    return seen;
  }

  it.each([
    ...[0, -1, 1, -300, 128, 350, 800].map((days) => daysFrom(night, days)),
    ...[0, -1, -2, -3, 1, 8].map((days) => daysFrom(early, days)),
  ])('are those whose dates contain %s, page by page', async (stayingOn) => {
    const over = stays.filter(isOver(stayingOn));
    expect(await pagesOf({ stayingOn })).toEqual(idsOf(over));
    expect(await pagesOf({ stayingOn, sort: 'createdAt' })).toEqual(idsOf(over.toReversed()));
    expect(await pagesOf({ stayingOn, channel: '1' })).toEqual(idsOf(over.filter(({ channel }) => channel === '1')));
  });

  it('are those at one property, or at the properties of a key', async () => {
    const at = (propertyId: string): string[] =>
      idsOf(stays.filter(isOver(night)).filter((stay) => stay.propertyId === propertyId));
    expect(await pagesOf({ stayingOn: night, propertyId: elsewhere })).toEqual(at(elsewhere));
    expect(await pagesOf({ stayingOn: night }, tenant.limited.key)).toEqual(at(tenant.here));
  });
});
