import pg from 'pg';
import { uuidIn } from '#persistence';
import { StayChanges } from '../../../src/features/reservations/stay-changes.service.js';
import type { Api, Json } from '../../support/api.js';
import { calendar, type CalendarServer, startCalendarServer, stay } from '../../support/calendar-server.js';
import { keyWith, unitOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { day } from '../../support/hotel.js';
import { type Service, startApp } from '../../support/start-app.js';

const total = 150;
const patienceMs = 60_000;
const turnover = {
  name: 'Turn over',
  type: 'cleaning',
  timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'next_arrival', offsetMinutes: 0 } },
};

let service: Service;
/** With more requests a minute than the first key has, so that bookings continue as fast as they succeed. */
let api: Api;
let calendars: CalendarServer;
let database: pg.Client;
let booked = 0;
beforeAll(async () => {
  calendars = await startCalendarServer();
  service = await startApp({ OUTBOUND_ALLOW: 'localhost' });
  database = new pg.Client({ connectionString: service.database.url });
  await database.connect();
  ({ api } = await keyWith(service.api));
});
afterAll(async () => {
  await database.end();
  await service.close();
  await calendars.close();
});

/** A calendar of many stays, each of one night followed by a free one. */
const serve = (from: number): void => {
  const date = (offset: number): string => day(offset).replaceAll('-', '');
  const stays = Array.from({ length: total }, (_, n) => stay(`${n}@x`, date(from + n * 2), date(from + n * 2 + 1)));
  calendars.answer = { status: 200, body: calendar(...stays) };
};

async function house() {
  const property = { name: 'Grand', timezone: 'UTC', automaticTasks: [turnover] };
  const propertyId = (await api.post('/properties', property)).body.data.id as string;
  const [imported, ours] = [await unitOf(api, propertyId, '1'), await unitOf(api, propertyId, '2')];
  const connect = async (): Promise<string> => {
    const settings = { url: calendars.url, propertyId, unitId: imported };
    const account = { provider: 'ical', kind: 'pms', name: 'Channel', settings };
    return (await api.post('/connections', account)).body.data.id as string;
  };
  return { propertyId, ours, connect };
}

const rows = async (text: string, propertyId: string): Promise<Json[]> =>
  (await database.query(text, [uuidIn(propertyId)])).rows;
const stored = `select count(*)::integer as stays, count(distinct xmin::text)::integer as transactions
                  from reservations where property_id = $1 and source = 'ical'`;
const told = `select type, count(*)::integer as events, count(distinct subject_id)::integer as subjects
                from events where property_id = $1 and type like 'reservation.%' group by 1 order by 1`;
const allStored = (propertyId: string, where = ''): Promise<Json[]> =>
  until(
    () => rows(`${stored} ${where}`, propertyId),
    ([found]) => found?.stays === total,
  );

/** Books nights in another room until the work has ended: none of them is rejected. */
async function bookBeside(propertyId: string, unitId: string, work: Promise<unknown>): Promise<void> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    const dates = { checkInDate: day(booked), checkOutDate: day((booked += 1)) };
    expect((await api.post('/reservations', { propertyId, unitId, ...dates })).status).toBe(201);
  }
  await over;
}

it(
  'a large calendar is imported in parts, records each change once, and lets bookings through',
  async () => {
    const { propertyId, ours, connect } = await house();
    serve(1);
    const connectionId = await connect();
    const sync = async (): Promise<Json> => (await api.post(`/connections/${connectionId}/sync`)).body.data.lastSync;
    await bookBeside(propertyId, ours, allStored(propertyId));
    const [{ transactions }] = (await rows(stored, propertyId)) as [Json];
    expect([transactions > 1, transactions < total / 5]).toEqual([true, true]);
    expect(await sync()).toEqual({ created: 0, updated: 0, cancelled: 0, unchanged: total });
    serve(2);
    const moving = sync();
    await bookBeside(propertyId, ours, moving);
    expect(await moving).toEqual({ created: 0, updated: total, cancelled: 0, unchanged: 0 });
    const each = { events: total, subjects: total };
    expect(await rows(told, propertyId)).toContainEqual({ type: 'reservation.updated', ...each });
    expect((await api.post(`/connections/${connectionId}/disconnect`)).body.data.status).toBe('disconnected');
    await bookBeside(propertyId, ours, allStored(propertyId, 'and connection_id is null'));
    expect(await rows(told, propertyId)).toContainEqual({
      type: 'reservation.updated',
      events: 2 * total,
      subjects: total,
    });
  },
  patienceMs,
);

it(
  'an import that is interrupted by other settings continues with what it finds',
  async () => {
    const { propertyId, connect } = await house();
    serve(1);
    const connectionId = await connect();
    await until(
      () => rows(stored, propertyId),
      ([found]) => found?.stays > 0,
    );
    const settings = { url: `${calendars.url}?again`, propertyId };
    await api.patch(`/connections/${connectionId}`, { settings });
    await allStored(propertyId, 'and unit_id is null');
    const events = await rows(told, propertyId);
    expect(events).toContainEqual({ type: 'reservation.created', events: total, subjects: total });
  },
  patienceMs,
);

it(
  'a large import can be taken over as soon as a part of it is stored',
  async () => {
    const { propertyId, connect } = await house();
    serve(1);
    const path = `/connections/${await connect()}`;
    await allStored(propertyId);
    serve(2);
    // The last of the stays keeps the import from ending.
    await database.query('begin');
    const last = 'select 1 from reservations where property_id = $1 order by check_in_date desc limit 1 for update';
    await rows(last, propertyId);
    const moving = api.post(`${path}/sync`);
    const cut = await until(
      async () => (await api.get(path)).body.data as Json,
      ({ currentSync }) => currentSync?.left > 0,
    );
    await database.query('rollback');
    expect(Date.parse(cut.nextSyncAt)).toBeLessThanOrEqual(Date.now());
    expect((await moving).body.data.lastSync).toMatchObject({ updated: total });
  },
  patienceMs,
);

it(
  'the stays of a disconnected system are cancelled in parts, by the person who disconnected it',
  async () => {
    const { propertyId } = await house();
    const account = { provider: 'push', kind: 'pms', name: 'System', settings: { propertyId } };
    const connectionId = (await api.post('/connections', account)).body.data.id as string;
    const path = `/connections/${connectionId}`;
    const items = Array.from({ length: 120 }, (_, n) => ({
      externalId: String(n),
      propertyId,
      checkInDate: day(n + 1),
      checkOutDate: day(n + 2),
    }));
    const saved = await api.post(`${path}/reservations/bulk`, { items });
    expect(saved.body.data.filter(({ error }: Json) => error)).toEqual([]);
    const refused = await api.post(`${path}/disconnect`, { stays: 'cancel' });
    expect(refused.body.error.details.stays).toBe(120);
    // By statements for many: one after the other, they would hold up bookings for seconds.
    const oneByOne = jest.spyOn(StayChanges.prototype, 'change');
    await api.post(`${path}/disconnect`, { stays: 'cancel', force: true });
    await until(
      () => rows('select 1 from reservations where property_id = $1 and connection_id is not null', propertyId),
      (left) => left.length === 0,
    );
    const entries = await rows(
      `select actor_type, count(*)::integer as entries from audit_entries
        where property_id = $1 and action = 'disconnectConnection' and target_type = 'reservation'
          and after ->> 'status' = 'cancelled' and before ->> 'status' = 'confirmed' group by 1`,
      propertyId,
    );
    expect(entries).toEqual([{ actor_type: 'member', entries: 120 }]);
    expect(oneByOne.mock.calls).toEqual([]);
    oneByOne.mockRestore();
  },
  patienceMs,
);
