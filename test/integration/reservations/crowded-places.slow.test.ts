import pg from 'pg';
import { uuidIn } from '#persistence';
import { apiOf, type Api, type Json } from '../../support/api.js';
import { newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { pushedBy } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { foundedDatabase } from '../../support/founded.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { isLong } from '../../support/sampled.js';
import { soldOut } from '../../support/sold-out.js';
import { type Service, startApp } from '../../support/start-app.js';

/**
 * A hotel of which another system has sold every room for long, 20,000 stays in the long form. A block leaves one stay too
 * many on each night, so that all are to be flagged.
 */
const plan = { rooms: isLong ? 50 : 6, ofEach: isLong ? 400 : 50 };
const total = plan.rooms * plan.ofEach;
const patienceMs = isLong ? 900_000 : 60_000;

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

async function soldHotel(api: Api, url: string): Promise<Hotel> {
  const here = await hotelOf(api, { Double: ['100'], Suite: ['1'] });
  const place = { propertyId: here.propertyId, unitTypeId: here.types.Double as string };
  await soldOut(url, { ...place, connectionId: await pushedBy(api) }, plan);
  return here;
}

const block = { from: day(0), kind: 'out_of_order', force: true };
const blockRoom = (api: Api, { propertyId, rooms }: Hotel, query = '') =>
  api.post(`/properties/${propertyId}/unit-blocks${query}`, { ...block, unitId: rooms['100'] });

const isOver = (client: pg.Client, { propertyId }: Hotel) =>
  until(
    () => client.query('select 1 from crowded_places where property_id = $1', [uuidIn(propertyId)]),
    ({ rowCount }) => rowCount === 0,
  );

const flagged = async (client: pg.Client, { propertyId }: Hotel): Promise<number> => {
  const text = 'select count(*)::integer as stays from reservations where property_id = $1 and overlapping';
  return (await client.query<{ stays: number }>(text, [uuidIn(propertyId)])).rows[0]?.stays as number;
};

const told = async (client: pg.Client, { propertyId }: Hotel, type: string): Promise<Json> => {
  const { rows } = await client.query(
    `select count(*)::integer as events, count(distinct subject_id)::integer as stays
       from events where property_id = $1 and type = $2`,
    [uuidIn(propertyId), type],
  );
  return rows[0];
};
const once = { events: total, stays: total };

it(
  'flags the stays of a type with a block in slices, and lets bookings through',
  async () => {
    const { api } = service;
    const here = await soldHotel(api, service.database.url);
    const { status, headers } = await blockRoom(api, here);
    const waits: number[] = [];
    for (let night = 1; night === 1 || (await database.query('select 1 from crowded_places')).rowCount; night += 1) {
      const asked = performance.now();
      expect((await here.book(night, night + 1, '1')).status).toBe(201);
      waits.push(performance.now() - asked);
    }
    expect(status).toBe(201);
    // Only the long form has the machine to itself.
    expect(isLong ? waits.filter((ms) => ms > 500) : []).toEqual([]);
    expect([await flagged(database, here), await told(database, here, 'reservation.overlap_flagged')]).toEqual([
      total,
      once,
    ]);
    const { rows } = await database.query(
      `select max(stays)::integer as most, bool_and(is_member) as by_member from (
         select count(*) as stays, bool_and(actor_type = 'member' and request_id = $2 and action = 'createUnitBlock') as is_member
           from audit_entries where property_id = $1 and target_type = 'reservation' and action <> 'createReservation'
          group by transaction_id) slice`,
      [uuidIn(here.propertyId), headers.get('x-request-id')],
    );
    expect(rows[0]).toEqual({ most: expect.any(Number), by_member: true });
    // A slice has at most twice as many as the last one, so half of them in the last of all on a fast machine.
    expect(rows[0].most).toBeLessThanOrEqual(total / 2);
    if (isLong) console.log({ total, longestWaitMs: Math.max(...waits), bookings: waits.length });
  },
  patienceMs,
);

it(
  'clears them where the block ends, and where the type gets another room',
  async () => {
    const { api } = service;
    const here = await soldHotel(api, service.database.url);
    const { body } = await blockRoom(api, here);
    await isOver(database, here);
    await api.post(`/properties/${here.propertyId}/unit-blocks/${body.data.id}/end`);
    await isOver(database, here);
    expect([await flagged(database, here), await told(database, here, 'reservation.overlap_cleared')]).toEqual([
      0,
      once,
    ]);
    await blockRoom(api, here);
    await isOver(database, here);
    await api.patch(`/properties/${here.propertyId}/units/${here.rooms['1']}`, { unitTypeId: here.types.Double });
    await isOver(database, here);
    expect(await flagged(database, here)).toBe(0);
  },
  patienceMs,
);

it(
  'undoes a block while its stays are being flagged',
  async () => {
    const { api } = service;
    const here = await soldHotel(api, service.database.url);
    const { headers } = await blockRoom(api, here);
    await feedSettled(service);
    const { status } = await api.post('/changes/undo', { requestId: headers.get('x-request-id') });
    await isOver(database, here);
    expect([status, await flagged(database, here)]).toEqual([200, 0]);
  },
  patienceMs,
);

it(
  'is rehearsed by counts',
  async () => {
    const here = await soldHotel(service.api, service.database.url);
    const { body } = await blockRoom(service.api, here, '?dryRun=true');
    expect(body.meta.effects.slice(1)).toEqual([{ type: 'reservation.overlap_flagged', count: total }]);
    expect(await flagged(database, here)).toBe(0);
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
      const api = apiOf(first.url, first.key);
      const here = await soldHotel(api, own.url);
      await blockRoom(api, here);
      await until(
        () => flagged(client, here),
        (stays) => stays > 0,
      );
      await first.kill('SIGKILL');
      expect(await flagged(client, here)).toBeLessThan(total);
      const second = await startChild(dataDir, env);
      await isOver(client, here);
      expect([await flagged(client, here), await told(client, here, 'reservation.overlap_flagged')]).toEqual([
        total,
        once,
      ]);
      await second.stop();
    } finally {
      await client.end();
      await own.drop();
      removeDataDir(dataDir);
    }
  },
  patienceMs,
);

it('a block that leaves enough units changes no stay that waits, as there may be thousands', async () => {
  const here = await hotelOf(service.api, { Double: ['100', '101'] });
  const stays = [await here.stay(1, 3, 'Double'), await here.stay(2, 4, 'Double')];
  const nights = { unitId: here.rooms['100'], kind: 'out_of_order', from: day(3), until: day(9), force: true };
  expect((await service.api.post(`/properties/${here.propertyId}/unit-blocks`, nights)).status).toBe(201);
  const text = 'select exempt from reservations where id = any($1)';
  const { rows } = await database.query(text, [stays.map(({ id }) => uuidIn(id as string))]);
  expect(rows).toEqual([{ exempt: false }, { exempt: false }]);
});
