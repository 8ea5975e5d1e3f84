import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { dueInTurns, Jobs, type Lane, type DueJob, type Tally, type Work } from '#jobs';
import { NotifyLine, WakeUps } from '#wake-ups';
import { LATEST_SCHEMA_VERSION } from 'bullmq';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';
import { startRedis, withRedis } from '../../support/redis.js';

const lane: Lane = { name: 'tests', concurrency: 8, drainMs: 2_000 };

let database: FreshDatabase;
let owner: pg.Pool;
let processes: Jobs[] = [];
let complaints: string[] = [];
/** How often any process looked for due work. */
let looked = 0;
beforeAll(async () => {
  database = await freshDatabase();
  owner = new pg.Pool({ connectionString: database.url, application_name: 'test' });
  // Connections that are still closing when the database is dropped.
  owner.on('error', () => undefined);
  await owner.query('create table chores (id text primary key, due_at timestamptz, times integer default 0)');
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});
beforeEach(() => owner.query('truncate chores, bullmq.job cascade'));
afterEach(async () => {
  await Promise.all(processes.map((jobs) => jobs.stop()));
  [processes, complaints, looked] = [[], [], 0];
  clock.restore();
});

/** A row's work, claimed and done in one statement. Processes find rows in any order. */
const chores = {
  name: 'chores',
  lane,
  soonest: '(select min(due_at) from chores)',
  due: async (now: string): Promise<DueJob[]> =>
    (await owner.query<DueJob>('select id from chores where due_at <= $1 order by random() limit 200', [now])).rows,
  perform: async ({ id }: DueJob): Promise<void> =>
    void (await owner.query('update chores set due_at = null, times = times + 1 where id = $1 and due_at is not null', [
      id,
    ])),
} satisfies Work;

/** Some of it may be due at any time, which no row shows. */
const anytime = { ...chores, soonest: '$1::timestamptz' } satisfies Work;

interface Settings {
  redisUrl?: string;
  atBound?: Tally['atBound'];
  wakeUps?: WakeUps;
  lookEveryMs?: number;
}

/** What a process would have; several share the queue. */
function working(work: Work, { redisUrl, atBound, wakeUps = new WakeUps(), lookEveryMs = 50 }: Settings = {}): Jobs {
  const say = ({ err }: { err?: Error }, message: string): void =>
    void complaints.push(err ? `${message}: ${err.message}` : message);
  const jobs = new Jobs(
    { databaseUrl: database.url, role: 'app_system', redisUrl, prefix: 'tests' },
    {
      rows: async (text, values) => {
        const { rows } = await owner.query<Record<string, unknown>>(text, values);
        looked += 1;
        return rows;
      },
    },
    wakeUps,
    { error: say, warn: say },
    { due: () => undefined, ended: () => undefined, atBound: atBound ?? (() => undefined) },
    lookEveryMs,
  );
  jobs.take(work);
  jobs.start();
  processes.push(jobs);
  return jobs;
}

const add = (count: number, dueAt = new Date()) =>
  owner.query(`insert into chores (id, due_at) select 'chore_' || n, $2 from generate_series(1, $1) n`, [
    count,
    dueAt.toISOString(),
  ]);
const left = async (): Promise<number> =>
  (await owner.query<{ left: number }>('select count(*)::int as left from chores where due_at is not null')).rows[0]
    ?.left as number;
const allDone = () => until(left, (count) => count === 0);
const queued = async (): Promise<number> => (await owner.query('select 1 from bullmq.job')).rows.length;

it('the schema of the queue is that of the installed BullMQ', async () => {
  const { rows } = await owner.query('select max(version)::int as version from bullmq.migration');
  expect(rows).toEqual([{ version: LATEST_SCHEMA_VERSION }]);
});

async function performTogether(redisUrl?: string): Promise<void> {
  await add(300);
  const performed = [0, 0];
  for (const node of [0, 1])
    working(
      {
        ...chores,
        perform: async (job) => {
          performed[node] = (performed[node] as number) + 1;
          await chores.perform(job);
        },
      },
      { redisUrl },
    );
  await allDone();
  const { rows } = await owner.query('select times from chores group by times');
  expect(rows).toEqual([{ times: 1 }]);
  expect(Math.min(...performed)).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
}

it('due work is performed once, by several processes together, and the queue forgets it', async () => {
  await performTogether();
  await until(queued, (count) => count === 0);
});

withRedis()('with Redis', () => {
  it('the same, with nothing in the database', async () => {
    const redis = await startRedis();
    try {
      await owner.query('truncate bullmq.event');
      await performTogether(redis.url);
      expect((await owner.query('select 1 from bullmq.event')).rows).toEqual([]);
      await Promise.all(processes.splice(0).map((jobs) => jobs.stop()));
    } finally {
      await redis.stop();
    }
  });
});

it('an organization that floods a lane leaves places free for another', async () => {
  // A look that started before a job ended may queue it again, as with rows.
  const begun = new Set<string>();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const flood = Array.from({ length: 40 }, (_, n) => ({ id: `flood_${n}`, orgId: 'org_flood' }));
  const due: DueJob[] = [...flood];
  const atBound: number[] = [];
  working(
    {
      ...anytime,
      due: () => Promise.resolve(due.filter(({ id }) => !begun.has(id))),
      perform: async ({ id, orgId }) => {
        if (begun.has(id)) return;
        begun.add(id);
        if (orgId === 'org_flood') await ended;
      },
    },
    { atBound: (_, organizations) => void atBound.push(organizations) },
  );
  await until(
    () => Promise.resolve(atBound.at(-1)),
    (organizations) => organizations === 1,
  );
  expect(begun.size).toBe(lane.concurrency / 2);
  due.push({ id: 'other', orgId: 'org_other' });
  await until(
    () => Promise.resolve(begun),
    (ids) => ids.has('other'),
  );
  expect(begun.size).toBe(lane.concurrency / 2 + 1);
  end();
  await until(
    () => Promise.resolve(begun.size),
    (count) => count === flood.length + 1,
  );
});

it('what another process queued for an organization at its limit is left to be queued again', async () => {
  const claimed = new Set<string>();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const flood = Array.from({ length: 16 }, (_, n) => ({ id: `flood_${n}`, orgId: 'org_flood' }));
  const due = (): Promise<DueJob[]> => Promise.resolve(flood.filter(({ id }) => !claimed.has(id)));
  let most = 0;
  for (const _ of [0, 1]) {
    let inProgress = 0;
    working({
      ...anytime,
      due,
      perform: async ({ id }) => {
        if (claimed.has(id)) return;
        claimed.add(id);
        most = Math.max(most, (inProgress += 1));
        await ended;
        inProgress -= 1;
      },
    });
  }
  await until(
    () => Promise.resolve(claimed.size),
    (count) => count === lane.concurrency,
  );
  end();
  await until(
    () => Promise.resolve(claimed.size),
    (count) => count === flood.length,
  );
  expect(most).toBe(lane.concurrency / 2);
});

it('due rows are found for each organization in turn, however many one of them has', async () => {
  await owner.query(`
    create table floods (org_id uuid, id uuid default gen_random_uuid(), since timestamptz, is_held boolean);
    insert into floods select lpad('1', 32, '0')::uuid, gen_random_uuid(), now() - interval '1 day', false
      from generate_series(1, 10000);
    insert into floods select lpad(n::text, 32, '0')::uuid, gen_random_uuid(), now() - interval '1 hour' + n * interval '1 minute', n = 3
      from generate_series(2, 4) n, generate_series(1, 2);
    insert into floods values (lpad('5', 32, '0')::uuid, gen_random_uuid(), now() + interval '1 hour', false),
                              (lpad('6', 32, '0')::uuid, gen_random_uuid(), null, false);
  `);
  const { rows } = await owner.query<{ org_id: string }>(
    dueInTurns({ table: 'floods', since: 'since', where: 'not is_held' }),
    [new Date().toISOString()],
  );
  expect(rows.map(({ org_id }) => Number(org_id.slice(-1)))).toEqual([1, 2, 4, 1, 2, 4, ...Array(48).fill(1)]);
});

it('work is due by Date, not by a clock of the queue', async () => {
  await add(1, new Date(Date.now() + 3_600_000));
  working(chores);
  await until(
    async () => looked,
    (count) => count > 2,
  );
  expect(await left()).toBe(1);
  clock.advance(3_600_001);
  await allDone();
});

it('failures are reported and retried', async () => {
  await add(1);
  let tries = 0;
  working({
    ...chores,
    perform: async (job) => {
      if ((tries += 1) < 3) throw new Error('not now');
      await chores.perform(job);
    },
  });
  await allDone();
  expect(complaints).toEqual(Array(2).fill('A job failed; it is retried: not now'));
});

it('a queue that is lost with all its jobs loses no work', async () => {
  let lose: () => void = () => undefined;
  const lost = new Promise<boolean>((resolve) => (lose = () => resolve(true)));
  let isLost = false;
  await add(20);
  working({ ...chores, perform: async (job) => void (isLost ? await chores.perform(job) : await lost) });
  await until(queued, (count) => count === 20);
  await owner.query('truncate bullmq.job cascade');
  isLost = true;
  lose();
  await allDone();
  expect(await left()).toBe(0);
});

it('connections that are closed, in use or not, end no process and lose nothing', async () => {
  await add(300);
  for (const _ of [0, 1]) working(chores);
  for (let killed = 0; killed < 20;) {
    const { rowCount } = await owner.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name <> 'test'",
    );
    killed += rowCount as number;
    await setImmediate();
  }
  await allDone();
  const { rows } = await owner.query('select times from chores group by times');
  expect(rows).toEqual([{ times: 1 }]);
});

it('a queue whose store is down at first works once it is up', async () => {
  await owner.query('alter schema bullmq rename to away');
  await add(1);
  working(chores);
  await until(async () => complaints.length, Boolean);
  await owner.query('alter schema away rename to bullmq');
  await allDone();
});

it('a process that ends waits for work in progress, and signals it', async () => {
  await add(1);
  let hasBegun = false;
  const jobs = working({
    ...chores,
    perform: async (job, signal) => {
      hasBegun = true;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await chores.perform(job);
    },
  });
  await until(async () => hasBegun, Boolean);
  processes = [];
  await jobs.stop();
  expect(await left()).toBe(0);
});

const hour = 3_600_000;

it('what a commit wakes is looked for immediately, and nothing else is', async () => {
  const wakeUps = new WakeUps();
  let looks = 0;
  const jobs = working({ ...chores, due: (now) => ((looks += 1), chores.due(now)) }, { wakeUps, lookEveryMs: hour });
  await until(async () => looked, Boolean);
  await add(1);
  jobs.wake('other-chores');
  jobs.wake('chores');
  await allDone();
  await until(queued, (count) => count === 0);
  expect(looks).toBe(1);
});

it('a commit of another process wakes this one', async () => {
  const lines = [0, 1].map(() => new NotifyLine({ url: database.url, role: 'app_system' }, { warn: () => undefined }));
  const [here, there] = lines.map((line) => new WakeUps(line)) as [WakeUps, WakeUps];
  for (const wakeUps of [here, there]) wakeUps.open();
  const listening =
    "select 1 from pg_stat_activity where datname = current_database() and application_name = 'wake-ups' and state = 'idle' and query <> ''";
  await until(
    async () => (await owner.query(listening)).rows.length,
    (count) => count === 2,
  );
  working(chores, { wakeUps: there, lookEveryMs: hour });
  await until(async () => looked, Boolean);
  await add(1);
  here.wake('chores');
  await allDone();
  await Promise.all([here.close(), there.close()]);
});

it('work that is due in a moment is looked for at that moment', async () => {
  const jobs = working(chores, { lookEveryMs: hour });
  await until(async () => looked, Boolean);
  const at = new Date(Date.now() + 100);
  await add(1, at);
  jobs.wake('chores', at.toISOString());
  await allDone();
  expect(Date.now()).toBeGreaterThanOrEqual(at.getTime());
});

it('work that becomes due while the same row is performed is looked for when that ends', async () => {
  await add(1);
  let goOn: () => void = () => undefined;
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const done = new Set<string>();
  const jobs = working(
    {
      ...chores,
      perform: async (job) => {
        await chores.perform(job);
        if (done.size > 0) return;
        done.add(job.id);
        await mayGoOn;
      },
    },
    { lookEveryMs: hour },
  );
  jobs.look();
  await until(async () => done.size, Boolean);
  await owner.query('truncate bullmq.event');
  // Before the look's time, which has whole milliseconds.
  await owner.query("update chores set due_at = now() - interval '1 second'");
  jobs.wake('chores');
  // The queue has this row already, so the look finds nothing new.
  const duplicates = "select 1 from bullmq.event where event = 'duplicated'";
  await until(async () => (await owner.query(duplicates)).rows.length, Boolean);
  goOn();
  await allDone();
});

it('a job of a process that died is assigned again', async () => {
  // Of a test that moved the clock: the queue would count this as one look too many.
  await owner.query("delete from bullmq.meta where field = 'stalled-check'");
  await add(1);
  let hasBegun = false;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  working({
    ...chores,
    perform: async (job) => {
      if (hasBegun) return await chores.perform(job);
      hasBegun = true;
      await ended;
    },
  });
  await until(async () => hasBegun, Boolean);
  await owner.query("update bullmq.job set lock_token = 'of a process that died', locked_until_ms = 1");
  await allDone();
  end();
});
