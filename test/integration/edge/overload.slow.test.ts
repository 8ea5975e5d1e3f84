import pg from 'pg';
import type { Caller } from '#access';
import { lateLoop, loopTime } from '#loop-time';
import { FeedsService } from '../../../src/features/reservations/ical/feeds.service.js';
import { Overload } from '../../../src/platform/health/overload.js';
import { TasksService } from '../../../src/features/tasks/tasks.service.js';
import type { Api, Reply } from '../../support/api.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { metricsAt, series } from '../../support/metrics.js';
import { freePort, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let metricsPort: number;
let looking: ReturnType<typeof lookingByHand>;
beforeAll(async () => {
  countsBy(computedTime);
  // Other processes on a busy machine do not count as overload of this one, nor as a database that does not respond.
  metricsPort = await freePort();
  service = await startApp({
    OVERLOAD_DELAY_MS: '200',
    DATABASE_WAIT_MS: '5000',
    METRICS_PORT: String(metricsPort),
    TRUSTED_PROXIES: '1',
  });
  looking = lookingByHand();
});
afterAll(async () => {
  await service.close();
  countsBy(usualTime);
});

/** Longer than `OVERLOAD_DELAY_MS`. */
const holdsMs = 300;

/** Time that this thread only waited, but that counts as computed. */
let heldMicros = 0;
const cpuUsage = process.threadCpuUsage.bind(process);
jest.spyOn(process, 'threadCpuUsage').mockImplementation(() => {
  const { user, system } = cpuUsage();
  return { user: user + heldMicros, system };
});
/** Time counts for an organization as computed: on a busy machine, waiting for a core would count too. */
const computedTime = (): { now: number; idle: number } => {
  const { user, system } = process.threadCpuUsage();
  return { now: performance.now(), idle: performance.now() - (user + system) / 1_000 };
};
/** The one of the process, which other tests use too. What passed until now counts for nobody. */
function countsBy(clock: () => { now: number; idle: number }): void {
  loopTime.enter();
  Object.assign(loopTime, { clock });
  loopTime.enter();
}
const { clock: usualTime } = loopTime as unknown as { clock: typeof computedTime };

/** Blocks the event loop like a long calculation, but leaves the processor to other tests. */
function block(ms = holdsMs): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  heldMicros += ms * 1_000;
}

/**
 * Checks whether the loop is late when a test says so, instead of every second, so that other work of the machine in
 * between does not count. `end` returns the check to the timer.
 */
function lookingByHand(): { look(): void; end(): void } {
  const overload = service.app.get(Overload) as unknown as { look?(): void };
  const look = overload.look?.bind(overload) as () => void;
  overload.look = () => undefined;
  return { look, end: () => delete overload.look };
}

const isShed = ({ status }: Reply): boolean => status === 503;
/** Rejected as everybody is, not for its own work. */
const isGeneral = (reply: Reply): boolean => isShed(reply) && reply.body.error.message.includes('is overloaded. ');
const shedCount = async (cause: string): Promise<number> =>
  (await metricsAt(metricsPort))[series('shed_total', { cause })] ?? 0;

/** Every list of this organization blocks the loop. */
async function holdingUp(api: Api): Promise<void> {
  const { id: orgId } = (await api.get('/organization')).body.data;
  const tasks = service.app.get(TasksService);
  const list = tasks.list.bind(tasks);
  const slow = (caller: Caller, ...rest: [never]): ReturnType<typeof list> => {
    if (caller.orgId === orgId) block();
    return list(caller, ...rest);
  };
  Object.assign(tasks, { list: slow });
}

/**
 * Many small requests of an organization, so that who is rejected follows from their work and not from their number.
 */
async function backgroundWork(): Promise<{ end(): Promise<Set<number>> }> {
  const { api } = await keyWith(service.api);
  let isOver = false;
  const statuses = new Set<number>();
  const working = (async () => {
    while (!isOver) {
      const replies = await Promise.all(Array.from({ length: 10 }, () => api.get('/tasks')));
      for (const { status } of replies) statuses.add(status);
    }
  })();
  const end = async (): Promise<Set<number>> => {
    isOver = true;
    await working;
    return statuses;
  };
  return { end };
}

/** Requests what blocks the loop, two at a time, and checks the loop, until it is rejected. */
function shedFor(ask: () => Promise<Reply>): Promise<Reply> {
  looking.look();
  return until(async () => {
    const replies = await Promise.all([ask(), ask()]);
    looking.look();
    return replies.find(isShed) ?? (replies[0] as Reply);
  }, isShed);
}

/** Checks the loop until the request succeeds again. */
const admittedAgain = (ask: () => Promise<Reply>): Promise<Reply> =>
  until(
    () => {
      looking.look();
      return ask();
    },
    (reply) => !isShed(reply),
  );

it('an organization that blocks the event loop has its requests processed one at a time, over REST and MCP', async () => {
  const attacker = await anotherOrganization(service);
  const { id: orgId } = (await attacker.get('/organization')).body.data;
  const tasks = service.app.get(TasksService);
  const { list } = tasks;
  let [inProgress, most] = [0, 0];
  const counted: typeof list = async (...given) => {
    most = Math.max(most, (inProgress += 1));
    return await list.apply(tasks, given).finally(() => (inProgress -= 1));
  };
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'listTasks', arguments: {} } };
  const accept = { accept: 'application/json, text/event-stream' };
  const overMcp = (): Promise<Reply> => attacker.post('/mcp', call, accept);
  const mostOf = async (): Promise<number> => {
    most = 0;
    const asked = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? attacker.get('/tasks') : overMcp()));
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
    return most;
  };
  const late = jest.spyOn(lateLoop, 'isLate', 'get').mockReturnValue(false);
  Object.assign(tasks, { list: counted });
  const useMost = (): void => {
    for (const [owner, ms] of [
      ['org_other', 20],
      [orgId, 300],
    ] as const) {
      loopTime.enter(owner);
      block(ms);
    }
  };
  try {
    useMost();
    expect(await mostOf()).toBeGreaterThan(1);
    late.mockReturnValue(true);
    // A request that takes longer than 100 ms does not delay the next any more, as on a busy machine.
    await until(
      async () => {
        useMost();
        return await mostOf();
      },
      (most) => most === 1,
    );
  } finally {
    late.mockRestore();
    Object.assign(tasks, { list });
  }
});

it('an organization that blocks the event loop is rejected, and no other is', async () => {
  const attacker = await anotherOrganization(service);
  await holdingUp(attacker);
  const background = await backgroundWork();
  const shed = await shedFor(async () => {
    await attacker.get('/tasks');
    return await attacker.get('/me');
  });
  expectEnvelope(shed, refusals.unavailable);
  expect(shed.headers.get('retry-after')).toBe('1');
  expect(await shedCount('own load')).toBeGreaterThan(0);
  expect((await service.api.post('/tasks', { name: 'Small' })).status).toBe(201);
  expect(await background.end()).toEqual(new Set([200]));
  await admittedAgain(() => attacker.get('/me'));
}, 60_000);

it('an address without a credential that blocks the event loop is rejected, and no other is', async () => {
  const [attacker, other] = ['203.0.113.66', '203.0.113.67'];
  const visit = async (calendar: string, from: string): Promise<Reply> => {
    const response = await fetch(`${service.url}/calendars/${calendar}.ics`, { headers: { 'x-forwarded-for': from } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
  };
  const feeds = service.app.get(FeedsService);
  const read = feeds.read.bind(feeds);
  Object.assign(feeds, { read: (token: string) => (token === 'slow' && block(), read(token)) });
  const background = await backgroundWork();
  const shed = await shedFor(() => visit('slow', attacker));
  expectEnvelope(shed, refusals.unavailable);
  const inBrowser = { 'x-forwarded-for': attacker, accept: 'text/html' };
  const page = await fetch(`${service.url}/sign-in`, { headers: inBrowser });
  expect([page.status, page.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await page.text()).toContain('Try again in a few seconds.');
  expect(isGeneral(shed)).toBe(false);
  expect((await visit('none', attacker)).status).toBe(503);
  expect((await visit('none', other)).status).toBe(404);
  expect((await service.api.get('/me', { 'x-forwarded-for': attacker })).status).toBe(200);
  expect(await background.end()).toEqual(new Set([200]));
  await admittedAgain(() => visit('none', attacker));
}, 60_000);

it('an organization whose requests wait for a lock leaves database connections for others', async () => {
  const attacker = await anotherOrganization(service);
  const taskId = await taskOf(attacker);
  const holder = new pg.Client({ connectionString: service.database.url });
  await holder.connect();
  try {
    await holder.query(`begin; select 1 from tasks where id = '${taskId.slice('task_'.length)}' for update`);
    const asked = Array.from({ length: 20 }, () => attacker.patch(`/tasks/${taskId}`, { priority: 'high' }));
    // By then each of the others has a connection, as far as there are any.
    expectEnvelope(await Promise.race(asked), refusals.unavailable);
    const others = await Promise.all(Array.from({ length: 8 }, () => service.api.post('/tasks', { name: 'Small' })));
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([201]));
    await holder.query('rollback');
    await Promise.all(asked);
  } finally {
    await holder.end();
  }
});

it('a process whose event loop is late rejects everything but probes, until it recovers', async () => {
  const [quiet, visitor] = [await anotherOrganization(service), service.api.as(undefined)];
  const before = await shedCount('general');
  looking.end();
  const busy = setInterval(() => block(), 0);
  try {
    // In the end also those that did nothing.
    const shed = await until(() => quiet.get('/me', { 'x-request-id': 'too-much' }), isGeneral);
    expectEnvelope(shed, refusals.unavailable);
    expect([shed.headers.get('retry-after'), shed.body.meta.requestId]).toEqual(['1', 'too-much']);
    const [page, mcp, live, ready] = await Promise.all([
      visitor.get('/openapi.json'),
      quiet.post('/mcp', {}),
      visitor.get('/healthz'),
      visitor.get('/readyz'),
    ]);
    expect([page, mcp, live, ready].map(({ status }) => status)).toEqual([503, 503, 200, 200]);
    expect(await shedCount('general')).toBeGreaterThan(before);
  } finally {
    clearInterval(busy);
  }
  const after = await until(
    () => service.api.get('/me'),
    (reply) => !isShed(reply),
  );
  expect(after.status).toBe(200);
}, 60_000);
