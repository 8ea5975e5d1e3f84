import pg from 'pg';
import { uuidIn } from '#persistence';
import { apiOf, type Api, type Json } from '../../support/api.js';
import { newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { unitOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { foundedDatabase } from '../../support/founded.js';
import { day } from '../../support/hotel.js';
import { manyStays } from '../../support/many-stays.js';
import { isLong } from '../../support/sampled.js';
import { type Service, startApp } from '../../support/start-app.js';

/** 20,000 future stays in the long form. */
const plan = { rooms: isLong ? 100 : 10, ofEach: isLong ? 200 : 25 };
const patienceMs = isLong ? 900_000 : 60_000;
const total = plan.rooms * plan.ofEach;

let service: Service;
let database: pg.Client;
beforeAll(async () => {
  service = await startApp();
  database = new pg.Client({ connectionString: service.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.close();
});

const utc = { timezone: 'UTC', checkInTime: '15:00', checkOutTime: '11:00' };
const houseOf = async (api: Api, url: string): Promise<string> => {
  const propertyId = (await api.post('/properties', { name: 'Grand Hotel', ...utc })).body.data.id as string;
  await manyStays(url, propertyId, plan);
  return propertyId;
};

const isOver = (client: pg.Client, propertyId: string) =>
  until(
    () => client.query('select 1 from times_changes where id = $1', [uuidIn(propertyId)]),
    ({ rowCount }) => rowCount === 0,
  );

/** How many stays have their times, by local arrival and departure in a time zone. */
const timesOf = async (client: pg.Client, propertyId: string, zone = 'UTC'): Promise<Record<string, number>> => {
  const { rows } = await client.query<{ times: string; count: number }>(
    `select to_char(arrival_at at time zone $2, 'HH24:MI') || ' ' || to_char(departure_at at time zone $2, 'HH24:MI') as times,
            count(*)::integer as count from reservations where property_id = $1 group by 1`,
    [uuidIn(propertyId), zone],
  );
  return Object.fromEntries(rows.map(({ times, count }) => [times, count]));
};

/** How many events of a type the records of a property have, and whether they are in order. */
const told = async (client: pg.Client, propertyId: string, type: string): Promise<Json> => {
  const { rows } = await client.query(
    `select count(*)::integer as events, count(distinct subject_id)::integer as subjects,
            count(distinct (subject_id, sequence))::integer as sequences
       from events where property_id = $1 and type = $2`,
    [uuidIn(propertyId), type],
  );
  return rows[0];
};

it(
  'returns within a second, lets bookings through, and records one event of each stay',
  async () => {
    const { api } = service;
    const propertyId = await houseOf(api, service.database.url);
    const unitId = await unitOf(api, propertyId);
    const begun = performance.now();
    const { status } = await api.patch(`/properties/${propertyId}`, { checkInTime: '16:00', checkOutTime: '10:00' });
    const answeredMs = performance.now() - begun;
    const waits: number[] = [];
    const booked: string[] = [];
    for (let night = 1; ; night += 2) {
      const asked = performance.now();
      const input = { propertyId, unitId, checkInDate: day(night), checkOutDate: day(night + 1) };
      const { body } = await api.post('/reservations', input);
      waits.push(performance.now() - asked);
      booked.push(body.data.arrivalLocal.slice(11));
      const { rowCount } = await database.query('select 1 from times_changes where id = $1', [uuidIn(propertyId)]);
      if (rowCount === 0) break;
    }
    expect(status).toBe(200);
    // Only the long form has the machine to itself.
    expect(isLong ? [answeredMs < 1_000, waits.filter((ms) => ms > 500)] : [true, []]).toEqual([true, []]);
    expect(new Set(booked)).toEqual(new Set(['16:00']));
    expect(await timesOf(database, propertyId)).toEqual({ '16:00 10:00': total + booked.length });
    const once = { events: total, subjects: total, sequences: total };
    expect(await told(database, propertyId, 'reservation.updated')).toEqual(once);
    expect((await told(database, propertyId, 'property.times_changed')).events).toBe(1);
    const slices = await database.query(
      `select max(stays)::integer as most from (
       select count(*) as stays from audit_entries where property_id = $1 and target_type = 'reservation' and action = 'updateProperty'
        group by transaction_id) slice`,
      [uuidIn(propertyId)],
    );
    expect(slices.rows[0].most).toBeLessThan(total / 2);
    const late = await database.query(
      `select 1 from tasks t join reservations r on r.org_id = t.org_id and r.id = t.reservation_id
      where t.property_id = $1 and t.can_start_at <> r.departure_at`,
      [uuidIn(propertyId)],
    );
    expect(late.rowCount).toBe(0);
    const dues = await database.query(
      `select distinct to_char(due_at at time zone 'UTC', 'HH24:MI') as due from tasks where property_id = $1 and due_at is not null`,
      [uuidIn(propertyId)],
    );
    expect(dues.rows).toEqual([{ due: '16:00' }]);
    if (isLong)
      console.log({ total, answeredMs, tookMs: performance.now() - begun, longestWaitMs: Math.max(...waits) });
  },
  patienceMs,
);

it(
  'acts as the person who changed the property, also in what follows later',
  async () => {
    const propertyId = await houseOf(service.api, service.database.url);
    const { headers } = await service.api.patch(`/properties/${propertyId}`, { checkOutTime: '09:00' });
    await isOver(database, propertyId);
    await feedSettled(service);
    const requestId = headers.get('x-request-id');
    const { rows } = await database.query(
      `select action, actor_type, request_id, count(*)::integer as entries from audit_entries
      where property_id = $1 and target_type = 'reservation' group by 1, 2, 3`,
      [uuidIn(propertyId)],
    );
    expect(rows).toEqual([{ action: 'updateProperty', actor_type: 'member', request_id: requestId, entries: total }]);
    const { body } = await service.api.get(`/events?types=property.times_changed&limit=100`);
    expect(body.data.at(-1)).toMatchObject({ subject: { id: propertyId }, actor: { type: 'member' } });
  },
  patienceMs,
);

it(
  'shows a stay with its old or its new times, and ends with those of the newest change',
  async () => {
    const { api } = service;
    const propertyId = await houseOf(api, service.database.url);
    const list = `/reservations?propertyId=${propertyId}&limit=100`;
    const seen = new Set<string>();
    const look = async (): Promise<void> => {
      for (const { arrivalAt, departureAt, arrivalLocal, departureLocal } of (await api.get(list)).body.data)
        seen.add([arrivalAt, departureAt, arrivalLocal, departureLocal].map((time) => time.slice(11, 16)).join(' '));
    };
    await api.patch(`/properties/${propertyId}`, {
      timezone: 'Asia/Tokyo',
      checkInTime: '18:00',
      checkOutTime: '12:00',
    });
    await look();
    await api.patch(`/properties/${propertyId}`, {
      timezone: 'Asia/Kolkata',
      checkInTime: '14:00',
      checkOutTime: '10:30',
    });
    await look();
    await isOver(database, propertyId);
    await look();
    const whole = ['15:00 11:00 15:00 11:00', '09:00 03:00 18:00 12:00', '08:30 05:00 14:00 10:30'];
    expect([...seen].filter((times) => !whole.includes(times))).toEqual([]);
    expect(await timesOf(database, propertyId, 'Asia/Kolkata')).toEqual({ '14:00 10:30': total });
    expect((await told(database, propertyId, 'property.times_changed')).events).toBe(1);
  },
  patienceMs,
);

it(
  'is undone with its stays, while they follow and afterwards',
  async () => {
    const { api } = service;
    const propertyId = await houseOf(api, service.database.url);
    const change = async (checkInTime: string): Promise<string> =>
      (await api.patch(`/properties/${propertyId}`, { checkInTime })).headers.get('x-request-id') as string;
    const undo = async (requestId: string): Promise<unknown[]> => {
      const { status, body } = await api.post('/changes/undo', { requestId });
      await isOver(database, propertyId);
      return [status, body.data?.undone.map(({ target }: Json) => target.type), await timesOf(database, propertyId)];
    };
    const undone = [200, ['property'], { '15:00 11:00': total }];
    expect(await undo(await change('18:00'))).toEqual(undone);
    const requestId = await change('19:00');
    await isOver(database, propertyId);
    await feedSettled(service);
    expect(await timesOf(database, propertyId)).toEqual({ '19:00 11:00': total });
    expect(await undo(requestId)).toEqual(undone);
  },
  patienceMs,
);

it(
  'is rehearsed by counts',
  async () => {
    const propertyId = await houseOf(service.api, service.database.url);
    const { body } = await service.api.patch(`/properties/${propertyId}?dryRun=true`, { checkInTime: '17:00' });
    expect(body.meta.effects.slice(1)).toEqual([
      { type: 'reservation.updated', count: total },
      { type: 'task.updated', count: total },
      { type: 'property.times_changed', count: 1 },
    ]);
    expect([body.meta.effects[0].type, body.meta.effectsTotal]).toEqual(['property.updated', 2 * total + 2]);
    expect(await timesOf(database, propertyId)).toEqual({ '15:00 11:00': total });
  },
  patienceMs,
);

it(
  'continues after a process is killed in the middle',
  async () => {
    const dataDir = newDataDir();
    const own = await foundedDatabase(dataDir);
    const client = new pg.Client({ connectionString: own.url });
    await client.connect();
    try {
      const env = { DATABASE_URL: own.url };
      const first = await startChild(dataDir, env);
      const propertyId = await houseOf(apiOf(first.url, first.key), own.url);
      await apiOf(first.url, first.key).patch(`/properties/${propertyId}`, { checkInTime: '19:00' });
      await until(
        () => timesOf(client, propertyId),
        (times) => times['19:00 11:00'] !== undefined,
      );
      await first.kill('SIGKILL');
      const cut = await timesOf(client, propertyId);
      expect(cut['15:00 11:00']).toBeGreaterThan(0);
      const second = await startChild(dataDir, env);
      await isOver(client, propertyId);
      expect(await timesOf(client, propertyId)).toEqual({ '19:00 11:00': total });
      const once = { events: total, subjects: total, sequences: total };
      expect(await told(client, propertyId, 'reservation.updated')).toEqual(once);
      expect((await told(client, propertyId, 'property.times_changed')).events).toBe(1);
      await second.stop();
    } finally {
      await client.end();
      await own.drop();
      removeDataDir(dataDir);
    }
  },
  patienceMs,
);
