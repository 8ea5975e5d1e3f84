import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { NotifyLine, WakeUps } from '#wake-ups';
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
  await Promise.all(open.map((wakeUps) => wakeUps.close()));
  open = [];
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

const listening = async (): Promise<number> =>
  (await owner.query("select 1 from pg_stat_activity where datname = current_database() and query like 'listen%'")).rows
    .length;

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

it('listeners look immediately when a lost connection is back', async () => {
  const heard = heardBy(await another(), ['mail', 'syncs']);
  await owner.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%' and datname = current_database()",
  );
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
