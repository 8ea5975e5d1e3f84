import pg from 'pg';
import type { Caller } from '#access';
import { TasksService } from '../../../src/tasks/tasks.service.js';
import type { Api, Reply } from '../../support/api.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  // Other processes of a busy machine are neither an overload of this one nor a database that does not answer.
  service = await startApp({ OVERLOAD_DELAY_MS: '300', DATABASE_WAIT_MS: '5000' });
});
afterAll(() => service.close());

function block(milliseconds: number): void {
  const endsAt = performance.now() + milliseconds;
  while (performance.now() < endsAt);
}

const isShed = ({ status }: Reply): boolean => status === 503;

/** Whatever this one lists holds up the loop. */
async function holdingUp(api: Api): Promise<void> {
  const { id: orgId } = (await api.get('/organization')).body.data;
  const tasks = service.app.get(TasksService);
  const list = tasks.list.bind(tasks);
  const slow = (caller: Caller, ...rest: [never]): ReturnType<typeof list> => {
    if (caller.orgId === orgId) block(400);
    return list(caller, ...rest);
  };
  Object.assign(tasks, { list: slow });
}

it('an organization that holds up the event loop is refused, and no other is', async () => {
  const attacker = await anotherOrganization(service);
  await holdingUp(attacker);
  let isOver = false;
  const others: number[] = [];
  const working = (async () => {
    while (!isOver) others.push((await service.api.get('/tasks')).status);
  })();
  const shed = await until(async () => {
    const replies = await Promise.all([attacker.get('/tasks'), attacker.get('/tasks')]);
    return replies.find(isShed) ?? (replies[0] as Reply);
  }, isShed);
  expectEnvelope(shed, refusals.unavailable);
  expect(shed.headers.get('retry-after')).toBe('1');
  expect((await attacker.get('/me')).status).toBe(503);
  others.push((await service.api.post('/tasks', { name: 'Small' })).status);
  isOver = true;
  await working;
  expect(new Set(others)).toEqual(new Set([200, 201]));
  await until(
    () => attacker.get('/me'),
    (reply) => !isShed(reply),
  );
}, 60_000);

it('an organization whose requests wait for a lock leaves connections of the database for others', async () => {
  const attacker = await anotherOrganization(service);
  const taskId = await taskOf(attacker);
  await until(
    () => service.api.get('/me'),
    (reply) => !isShed(reply),
  );
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

it('a process whose event loop is late refuses all but probes, until it is not', async () => {
  const visitor = service.api.as(undefined);
  const busy = setInterval(() => block(400), 0);
  try {
    const shed = await until(() => service.api.get('/me', { 'x-request-id': 'too-much' }), isShed);
    expectEnvelope(shed, refusals.unavailable);
    expect([shed.headers.get('retry-after'), shed.body.meta.requestId]).toEqual(['1', 'too-much']);
    const [mcp, live, ready] = await Promise.all([
      service.api.post('/mcp', {}),
      visitor.get('/healthz'),
      visitor.get('/readyz'),
    ]);
    expect([mcp.status, live.status, ready.status]).toEqual([503, 200, 200]);
  } finally {
    clearInterval(busy);
  }
  expect(
    (
      await until(
        () => service.api.get('/me'),
        (reply) => !isShed(reply),
      )
    ).status,
  ).toBe(200);
}, 60_000);
