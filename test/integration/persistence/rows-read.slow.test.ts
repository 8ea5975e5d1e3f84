import { appRoles } from '../../../src/processes/data-source.js';
import { TenantDatabase } from '#persistence';
import type { Api } from '../../support/api.js';
import { freshDatabase } from '../../support/database.js';
import { keyWith, propertyOf, pushedBy } from '../../support/factories.js';
import { afterDeparture, dates, done, type Hotel, hotelOf } from '../../support/hotel.js';
import { manyStays } from '../../support/many-stays.js';
import { collectScans, hasRead, showPlans, type TableScan } from '../../support/plans.js';
import { type Service, startApp } from '../../support/start-app.js';

/**
 * What a change of a stay reads. PostgreSQL plans for any values, and where it expects many stays it reads all of the
 * organization (docs/performance.md, Plans): the answer is the same, and takes as long as the organization is large.
 */
const properties = 40;
const elsewhere = { rooms: 1, ofEach: 50 };
const most = 300;

let service: Service;
let api: Api;
let hotel: Hotel;
let vendor: string;
let scans: TableScan[];
beforeAll(async () => {
  const database = await freshDatabase();
  await showPlans(database, hasRead);
  service = await startApp({}, { database });
  ({ api } = await keyWith(service.api));
  for (let more = 0; more < properties; more += 1) await manyStays(database.url, await propertyOf(api), elsewhere);
  const planned = { automaticTasks: [afterDeparture('Clean', 'cleaning', 120)] };
  hotel = await hotelOf(api, { Double: ['101', '102'], '': ['201'] }, planned);
  vendor = await pushedBy(api);
  scans = collectScans();
}, 60_000);
beforeEach(() => void scans.splice(0));
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
  await service.database.drop();
});

/** The scans by statements of requests that read more. */
function readTooMuch(): string[] {
  const ours = scans.filter(({ role }) => role === appRoles.tenant);
  expect(ours.some(({ table, rows }) => table === 'reservations' && rows > 0)).toBe(true);
  return ours
    .filter(({ rows }) => rows > most)
    .map(({ table, rows, statement }) => `${rows} of ${table}: ${statement}`);
}

/** A stay of another system, which may have the room of others. */
async function pushed(from: number, until: number, externalId: string): Promise<void> {
  const stay = { propertyId: hotel.propertyId, unitId: hotel.rooms['101'], ...dates(from, until) };
  await done(api.send('PUT', `/connections/${vendor}/reservations/${externalId}`, stay));
}

it.each(['101', 'Double', ''])('a booking at "%s" reads the stays that it could meet', async (place) => {
  await done(hotel.book(10 + 3 * place.length, 12 + 3 * place.length, place, { primaryGuest: { name: 'Ada' } }));
  expect(readTooMuch()).toEqual([]);
});

it('a stay that gets other nights and rooms reads the stays that it meets', async () => {
  const { id } = await hotel.stay(40, 42, '102');
  await done(hotel.act({ id }, 'move', dates(43, 45)));
  await done(hotel.act({ id }, 'unassign-unit'));
  await done(hotel.act({ id }, 'assign-unit', { unitId: hotel.rooms['101'] }));
  expect(readTooMuch()).toEqual([]);
});

it('a stay that is cancelled, reinstated and undone reads the stays that it meets', async () => {
  const stay = await hotel.stay(50, 52, '101');
  await done(hotel.act(stay, 'cancel'));
  await done(hotel.act(stay, 'reinstate'));
  await pushed(50, 52, 'meets');
  expect((await api.get(`/reservations/${stay.id}`)).body.data.overlapping).toBe(true);
  const cancelled = await done(hotel.act(stay, 'cancel'));
  await pushed(53, 54, 'meets');
  await done(api.post('/changes/undo', { requestId: cancelled }));
  expect(readTooMuch()).toEqual([]);
});

it('a property that gets other times reads its own stays', async () => {
  await hotel.stay(60, 62, '101');
  await done(api.patch(`/properties/${hotel.propertyId}`, { checkOutTime: '10:00' }));
  expect(readTooMuch()).toEqual([]);
});

/** Of its span of three days (migration 301). */
const isInMiddle = (on: number): boolean =>
  ((Date.parse(dates(on, on).checkInDate) - Date.parse('2000-01-01')) / 86_400_000) % 3 === 1;

it('a page of the stays over a night reads no more of them', async () => {
  // Stays of three nights start every fourth day. In the middle of a span of three days, the index also reads those of the
  // span before that have ended; where the first of these nights is there, the next one is at the end of its span.
  const night = { stayingOn: dates(isInMiddle(8) ? 12 : 8, 99).checkInDate, limit: '2' };
  const found = (await api.get(`/reservations?${new URLSearchParams(night)}`)).body.data;
  expect(found).toHaveLength(2);
  const read = scans.filter(({ table }) => table === 'reservations').map(({ rows }) => Math.round(rows));
  expect(read.length).toBeGreaterThan(1);
  expect(read.filter((rows) => rows > 3)).toEqual([]);
});

it('guests that a key can see are found by their stays', async () => {
  const guests: string[] = [];
  for (const from of [70, 72, 74]) {
    const stay = await hotel.stay(from, from + 1, '101', { primaryGuest: { name: `Ada ${from}` } });
    guests.unshift(stay.primaryGuest.id as string);
  }
  const limited = (await keyWith(api, { propertyIds: [hotel.propertyId] })).api;
  scans.splice(0);
  const seen = async (path: string) => (await limited.get(path)).body.data.map(({ id }: { id: string }) => id);
  expect((await seen('/guests')).slice(0, 3)).toEqual(guests);
  expect(await seen('/guests?updatedSince=2020-01-01T00:00:00Z')).toEqual(expect.arrayContaining(guests));
  expect((await limited.get(`/guests/${guests[0]}`)).status).toBe(200);
  expect(readTooMuch()).toEqual([]);
});

it('notices a statement that reads all stays', async () => {
  const organization = (await api.get('/organization')).body.data.id as string;
  await service.app.get(TenantDatabase).rows(organization, 'select count(metadata) from reservations', []);
  expect(readTooMuch()).toEqual([expect.stringMatching(/^20\d\d of reservations: select count/)]);
});
