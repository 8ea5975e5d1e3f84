import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { NotifyLine, WakeUps } from '#wake-ups';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';

let database: FreshDatabase;
let owner: pg.Pool;
let open: WakeUps[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  owner = new pg.Pool({ connectionString: database.url });
  // Connections that are still closing when the database is dropped.
  owner.on('error', () => undefined);
});
afterEach(async () => {
  clock.restore();
  await Promise.all(open.map((wakeUps) => wakeUps.close()));
  open = [];
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const lines = "application_name = 'wake-ups' and datname = current_database()";
const listening = async (): Promise<number> =>
  (await owner.query(`select 1 from pg_stat_activity where ${lines} and state = 'idle' and query <> ''`)).rows.length;

/** What another process would have. */
async function another(): Promise<WakeUps> {
  const wakeUps = new WakeUps(new NotifyLine({ url: database.url, role: 'app_system' }, { warn: () => undefined }));
  open.push(wakeUps);
  wakeUps.open();
  await until(listening, (count) => count === open.length);
  return wakeUps;
}

function heardBy(wakeUps: WakeUps, topics: readonly string[]): string[] {
  const heard: string[] = [];
  for (const topic of topics) wakeUps.listen(topic, () => heard.push(topic));
  return heard;
}

it('a wake-up is received here immediately, and by other processes once for many commits, by topic', async () => {
  const [here, there] = [await another(), await another()];
  const [heardHere, heardThere] = [heardBy(here, ['mail', 'syncs']), heardBy(there, ['mail', 'syncs', 'events/org_1'])];
  for (let commit = 0; commit < 50; commit += 1) here.wake('mail');
  here.wake('events/org_1');
  expect(heardHere).toEqual(Array(50).fill('mail'));
  await until(
    async () => heardThere.length,
    (count) => count >= 2,
  );
  expect(heardThere).toEqual(['mail', 'events/org_1']);
  there.wake('syncs');
  await until(
    async () => heardHere.at(-1),
    (topic) => topic === 'syncs',
  );
  expect(heardHere).toHaveLength(51);
});

it('more topics than fit into one notification are all received', async () => {
  const [here, there] = [await another(), await another()];
  const topics = Array.from({ length: 1_000 }, (_, n) => `events/org_${String(n).padStart(32, '0')}`);
  const heard = heardBy(there, topics);
  for (const topic of topics) here.wake(topic);
  await until(
    async () => heard.length,
    (count) => count === topics.length,
  );
  expect(heard).toEqual(topics);
});

it('a process that nobody answers sends nothing until it hears another', async () => {
  const here = await another();
  const ear = new pg.Client({ connectionString: database.url });
  const payloads: string[] = [];
  ear.on('notification', ({ payload }) => void payloads.push(payload as string));
  await ear.connect();
  await ear.query('listen wake_ups');
  const untilPayload = (last: string) =>
    until(
      async () => payloads.at(-1),
      (payload) => payload === last,
    );

  clock.advance(5_000);
  here.wake('nobody-listens');
  const there = await another();
  await untilPayload('!');
  const heard = heardBy(there, ['mail', 'syncs']);
  here.wake('mail');
  await untilPayload('mail');
  clock.advance(60_001);
  here.wake('syncs');
  await untilPayload('!');
  await there.close();
  open = open.filter((one) => one !== there);
  clock.advance(60_001);
  here.wake('asks-again');
  await untilPayload('? asks-again');
  clock.advance(5_000);
  here.wake('nobody-listens');
  await another();
  await untilPayload('!');
  expect(heard).toEqual(['mail', 'syncs']);
  expect(payloads).toEqual(['?', '!', 'mail', '? syncs', '!', '? asks-again', '?', '!']);
  await ear.end();
});

it('listeners look immediately when a lost connection is back', async () => {
  const heard = heardBy(await another(), ['mail', 'syncs']);
  await owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where ${lines}`);
  await until(
    async () => heard.length,
    (count) => count === 2,
  );
  expect(heard).toEqual(['mail', 'syncs']);
  const there = await another();
  there.wake('syncs');
  await until(
    async () => heard.length,
    (count) => count === 3,
  );
});

it('without a connection nothing is announced, and nothing waits for it', async () => {
  const away = new URL(database.url);
  const line = new NotifyLine(
    { url: away.href.replace(away.pathname, '/nowhere'), role: 'app_system' },
    { warn: () => undefined },
  );
  const wakeUps = new WakeUps(line);
  const heard = heardBy(wakeUps, ['mail']);
  wakeUps.open();
  wakeUps.wake('mail');
  await wait(0);
  expect(heard).toEqual(['mail']);
  await wakeUps.close();
});
