import pg from 'pg';
import { uuidIn } from '#persistence';
import { type Api, apiOf, type Json } from '../../support/api.js';
import { calendar, type CalendarServer, startCalendarServer, stay } from '../../support/calendar-server.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith, propertyOf, unitOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { day } from '../../support/hotel.js';

/** As many events as a calendar may have. */
const total = 10_000;
/** Stays of one night followed by a free night, which no other stay overlaps. */
const firstNight = 400;
const longestAnswerMs = 12_000;
const longestWaitMs = 500;

let calendars: CalendarServer;
let own: FreshDatabase;
let database: pg.Client;
let dataDir: string;
let service: ChildService;
let api: Api;
let place: { propertyId: string; unitId: string };
let connectionId: string;
let booked = 0;

const start = async (): Promise<void> => {
  service = await startChild(dataDir, { DATABASE_URL: own.url, OUTBOUND_ALLOW: 'localhost' });
  ({ api } = await keyWith(apiOf(service.url, service.key)));
};
beforeAll(async () => {
  calendars = await startCalendarServer();
  own = await freshDatabase();
  database = new pg.Client({ connectionString: own.url });
  await database.connect();
  dataDir = newDataDir();
  await start();
  const propertyId = await propertyOf(api, 'Grand');
  place = { propertyId, unitId: await unitOf(api, propertyId, '1') };
  const settings = { url: calendars.url, propertyId, unitId: await unitOf(api, propertyId, '2') };
  const account = { provider: 'ical', kind: 'pms', name: 'Channel', settings };
  connectionId = (await api.post('/connections', account)).body.data.id;
  await until(connection, ({ lastSyncAt }) => lastSyncAt !== null);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await database.end();
  await own.drop();
  await calendars.close();
  removeDataDir(dataDir);
});

const connection = async (): Promise<Json> => (await api.get(`/connections/${connectionId}`)).body.data;
const rows = async (text: string): Promise<Json[]> =>
  (await database.query(text, [uuidIn(place.propertyId)])).rows as Json[];
const imported = async (): Promise<number> =>
  (await rows(`select count(*)::integer as stays from reservations where property_id = $1 and source = 'ical'`))[0]
    .stays;

/** @param shift the number of nights by which all stays move. */
const serve = (shift: number): void => {
  const date = (offset: number): string => day(offset).replaceAll('-', '');
  const stays = Array.from({ length: total }, (_, n) => {
    const from = firstNight + shift + n * 2;
    return stay(`${n}@x`, date(from), date(from + 1));
  });
  calendars.answer = { status: 200, body: calendar(...stays) };
};

/** Books a night in another room. @returns how long that took. */
async function book(): Promise<number> {
  const asked = performance.now();
  const dates = { checkInDate: day(booked), checkOutDate: day((booked += 1)) };
  const { status } = await api.post('/reservations', { ...place, ...dates });
  expect(status).toBe(201);
  return performance.now() - asked;
}

/** Books nights until the condition is met. @returns how long the longest of the bookings took. */
async function bookUntil(isSo: () => Promise<boolean>): Promise<number> {
  let longestMs = 0;
  while (!(await isSo())) {
    longestMs = Math.max(longestMs, await book());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return Math.round(longestMs);
}

/** Requests a sync, which returns in time however long it takes. */
async function sync(): Promise<Json> {
  const asked = performance.now();
  const { status, headers, body } = await api.post(`/connections/${connectionId}/sync`);
  expect(performance.now() - asked).toBeLessThan(longestAnswerMs);
  const location = body.data.currentSync ? `/api/v1/connections/${connectionId}` : null;
  expect([status, headers.get('location')]).toEqual([location ? 202 : 200, location]);
  return body.data;
}

const isDone = async (): Promise<boolean> => (await connection()).currentSync === null;

it('a calendar of 10,000 events is imported while others book, and after the process is killed', async () => {
  serve(0);
  // The first booking of a process takes longer, whatever else it does.
  await book();
  const begun = performance.now();
  const answered = sync();
  const whileAdded = await bookUntil(async () => (await imported()) > total / 4);
  await answered;
  await service.kill('SIGKILL');
  const cut = await imported();
  expect(cut).toBeLessThan(total);
  // A minute passes, in which nobody else takes the claim of the killed process.
  await database.query('update connections set sync_lease_until = now()');
  await start();
  await book();
  const afterwards = await bookUntil(async () => (await imported()) === total && (await isDone()));
  const addedMs = Math.round(performance.now() - begun);
  const told = await rows(
    `select count(*)::integer as events, count(distinct subject_id)::integer as subjects from events
      where property_id = $1 and type = 'reservation.created' and substr(subject_id, 13)::uuid in (
        select id from reservations where source = 'ical')`,
  );
  expect(told).toEqual([{ events: total, subjects: total }]);
  expect((await sync()).lastSync).toMatchObject({ created: 0, updated: 0, cancelled: 0, unchanged: total });

  serve(1);
  const moving = performance.now();
  const asked = sync();
  const whileMoved = await bookUntil(async () => (await asked) && (await isDone()));
  const movedMs = Math.round(performance.now() - moving);
  expect((await connection()).lastSync).toMatchObject({ created: 0, updated: total, cancelled: 0, unchanged: 0 });
  const waits = { whileAdded, afterwards, whileMoved };
  console.log({ total, cut, addedMs, movedMs, ...waits });
  expect(Object.values(waits).filter((ms) => ms > longestWaitMs)).toEqual([]);
}, 1_800_000);
