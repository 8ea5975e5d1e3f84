import pg from 'pg';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import { RunWorker } from '../../../src/features/workflows/runs/run-worker.service.js';
import { EventTriggers } from '../../../src/features/workflows/triggers/event-triggers.service.js';
import type { Api, Json } from '../../support/api.js';
import { newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith, propertyOf, stayOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performOnce } from '../../support/jobs.js';
import { type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf, hasEnded, runsOf } from '../../support/workflows.js';

/**
 * Several nodes on one database, and `kill -9` of one in the middle of a step. The nodes in this process do no
 * background work.
 */
const dataDir = newDataDir();
let database: FreshDatabase;
let nodes: [Service, Service];
let owner: pg.Client;
let api: Api;

beforeAll(async () => {
  database = await freshDatabase();
  const shared = { database, keyring: loadKeyring(dataDir) };
  nodes = [await startApp({ WORKER: 'off' }, shared), await startApp({ WORKER: 'off' }, shared)];
  api = (await keyWith(nodes[0].api)).api;
  owner = await connected();
});
afterEach(() => clock.restore());
afterAll(async () => {
  await owner.end();
  await Promise.all(nodes.map((node) => node.close()));
  await database.drop();
  removeDataDir(dataDir);
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  return client;
}

/** Stays at places of their own, each of a guest. */
async function staysOf(count: number): Promise<Json[]> {
  const stays: Json[] = [];
  for (let number = 0; number < count; number += 1) {
    const primaryGuest = { name: `Guest ${number}`, email: `guest-${number}@tests.example` };
    stays.push(await stayOf(api, { propertyId: await propertyOf(api, `House ${number}`), primaryGuest }));
  }
  return stays;
}
const moveAll = (stays: readonly Json[]) =>
  Promise.all(
    stays.map(({ id }) =>
      api.post(`/reservations/${id}/move`, { checkInDate: '2031-05-01', checkOutDate: '2031-05-04' }),
    ),
  );
const performAll = async (): Promise<void> => {
  // Each time again, because the transaction of a killed process hides later events until Postgres notices that it is
  // gone.
  await performOnce(nodes[0].app.get(EventTriggers));
  await Promise.all(nodes.map(({ app }) => performOnce(app.get(RunWorker))));
};
const untilAllEnded = (workflowId: string, count: number) =>
  until(
    async () => {
      await performAll();
      return await runsOf(api, workflowId);
    },
    (runs) => runs.length === count && runs.every(hasEnded),
  );

/** The sessions that wait for locks of a connection. */
const waiters = async (holder: pg.Client): Promise<number> => {
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
  return (await owner.query(waiting, [rows[0]?.pid])).rowCount ?? 0;
};
const locked = async (sql: string): Promise<pg.Client> => {
  const locker = await connected();
  await locker.query(`begin; ${sql}`);
  return locker;
};

it('an event starts a workflow once, and its step runs once, however many nodes see it', async () => {
  const stays = await staysOf(6);
  const workflowId = await activeWorkflowOf(api);
  await moveAll(stays);
  await feedSettled(nodes[0]);
  // Each sees the same events at the same position of the feed.
  await Promise.all([...nodes, ...nodes].map(({ app }) => performOnce(app.get(EventTriggers))));
  await performOnce(nodes[1].app.get(EventTriggers));
  const runs = await untilAllEnded(workflowId, 6);
  expect(runs.map(({ status }) => status as string)).toEqual(Array(6).fill('succeeded'));
  expect(runs.map(({ reservationId }) => reservationId as string).sort()).toEqual(
    stays.map(({ id }) => id as string).sort(),
  );
  for (const { id } of stays) expect((await api.get(`/tasks?reservationId=${id}`)).body.data).toHaveLength(1);
  await api.post(`/workflows/${workflowId}/archive`);
});

it('does not retry a run while its workflow is being archived', async () => {
  const trigger = { kind: 'manual' };
  const taskId = (await api.post('/tasks', { name: 'Open already' })).body.data.id as string;
  const steps = [{ kind: 'operation', operation: 'reopenTask', input: { taskId } }];
  const workflowId = await activeWorkflowOf(api, { trigger, steps });
  await api.post(`/workflows/${workflowId}/run`);
  const [run] = await untilAllEnded(workflowId, 1);
  const archiving = await locked(`update workflows set status = 'archived' where trigger_kind = 'manual'`);
  const retried = api.post(`/workflow-runs/${run.id}/retry`);
  await until(
    () => waiters(archiving),
    (count) => count > 0,
  );
  await archiving.query('commit');
  await archiving.end();
  expect((await retried).body.error.code).toBe('WORKFLOW_ARCHIVED');
});

describe('kill -9 of a node in the middle of a step', () => {
  /** Starts a worker node, catches it at each lock in turn, and kills it at the last. */
  async function killAt(locks: string[], stays: readonly Json[]): Promise<void> {
    let locker = await locked(locks[0] as string);
    const child = await startChild(dataDir, { DATABASE_URL: database.url });
    await moveAll(stays);
    for (const next of [...locks.slice(1), undefined]) {
      await until(
        () => waiters(locker),
        (count) => count > 0,
      );
      if (next === undefined) break;
      const later = await locked(next);
      await locker.end();
      locker = later;
    }
    await child.kill('SIGKILL');
    await locker.end();
  }

  it('sends each guest one message', async () => {
    const stays = await staysOf(5);
    const saved = await api.post('/email-templates', { name: 'Moved', subject: 'Moved', body: '<p>Moved</p>' });
    const templateId = saved.body.data.id as string;
    await api.post(`/email-templates/${templateId}/publish`);
    const workflowId = await activeWorkflowOf(api, {
      trigger: { kind: 'event', eventType: 'reservation.moved' },
      steps: [{ kind: 'send_email', templateId, to: 'guest' }],
    });
    await killAt(['lock table messages in exclusive mode'], stays);
    clock.advance(61_000);
    const runs = await untilAllEnded(workflowId, 5);
    expect(runs.map(({ status }) => status as string)).toEqual(Array(5).fill('succeeded'));
    const messages = (await api.get(`/messages?templateId=${templateId}&limit=100`)).body.data as Json[];
    const guests = messages.map(({ guestId }) => guestId as string).sort();
    expect(guests).toEqual(stays.map(({ primaryGuest }) => primaryGuest.id as string).sort());
    expect((await owner.query('select 1 from mails where author = $1', ['messages'])).rowCount).toBe(5);
    await api.post(`/workflows/${workflowId}/archive`);
  }, 120_000);

  it('does not repeat what was done but not yet noted', async () => {
    const [stay] = await staysOf(1);
    const workflowId = await activeWorkflowOf(api);
    // At its task, then at its note: the task is committed by then.
    await killAt(['lock table tasks in share mode', 'lock table workflow_runs in share mode'], [stay]);
    expect((await api.get(`/tasks?reservationId=${stay.id}`)).body.data).toHaveLength(1);
    expect((await runsOf(api, workflowId))[0]).toMatchObject({ status: 'running', steps: [{ status: 'running' }] });
    clock.advance(61_000);
    const [run] = await untilAllEnded(workflowId, 1);
    expect([run.status, run.steps[0].attempts]).toEqual(['succeeded', 2]);
    expect((await api.get(`/tasks?reservationId=${stay.id}`)).body.data).toHaveLength(1);
  }, 120_000);
});
