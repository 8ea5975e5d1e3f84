import pg from 'pg';
import { ApprovalRunner } from '../../../src/auth/approvals/approval-runner.service.js';
import { loadKeyring } from '../../../src/processes/keyring-file.js';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { waitingForLocks } from '../../support/locks.js';
import { startOps } from '../../support/ops.js';
import { isLong } from '../../support/sampled.js';
import { simulatorOf } from '../../support/simulator.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

/** `kill -9` of the process in which a person has decided, and what another process does with the decision. */
const dataDir = newDataDir();
let database: FreshDatabase;
let other: Service;
let child: ChildService | undefined;
let beside: pg.Client;
beforeAll(async () => {
  database = await freshDatabase();
  other = await startApp({ WORKER: 'off' }, { database, keyring: loadKeyring(dataDir) });
  beside = new pg.Client({ connectionString: database.url });
  await beside.connect();
});
afterEach(async () => {
  clock.restore();
  await child?.kill('SIGKILL');
});
afterAll(async () => {
  await beside.end();
  await other.close();
  await database.drop();
  removeDataDir(dataDir);
});

const leaseMs = 30_000;
const runner = (): ApprovalRunner => other.app.get(ApprovalRunner);

/** The process that will be killed. */
async function startVictim(env: Record<string, string>): Promise<ChildService> {
  const settings = { DATABASE_URL: database.url, ADMIN_API_KEY: other.key };
  return (child = await startChild(dataDir, { ...settings, ...env }));
}

/** A key that needs approval, whose request a person approves in the process that will be killed. */
async function asking() {
  const { api, id } = await keyWith(other.api);
  const { id: orgId } = (await other.api.get('/organization')).body.data;
  const ops = await startOps(other);
  await ops(`approval-rule add --org ${orgId} --who ${id} --what write --mode ask`);
  await ops.close();
  const approve = async ({ url }: ChildService, { data }: Json): Promise<void> => {
    const browser = new Browser(url);
    await browser.signIn(owner.email, owner.password);
    const path = `/approvals/${data.id}`;
    const page = await browser.submit(await browser.get(path), path, { decision: 'approve' });
    expect(page.text).toContain('Approved');
  };
  return { api, approve };
}

it.each([
  ['before it is carried out', 'off'],
  ['while it is carried out', 'on'],
])('an approved request is carried out once, although the process is killed %s', async (when, WORKER) => {
  const { api, approve } = await asking();
  const taskId = await taskOf(other.api);
  const send = () => api.post(`/tasks/${taskId}/complete`, undefined, { 'idempotency-key': when });
  const { body } = await send();
  const victim = await startVictim({ WORKER });
  const isCarriedOut = WORKER === 'on';
  // The write is complete then, but its transaction cannot commit.
  if (isCarriedOut) await beside.query('begin; lock table idempotency_records in share mode');
  await approve(victim, body);
  if (isCarriedOut)
    await until(
      () => beside.query(waitingForLocks),
      ({ rowCount }) => rowCount !== 0,
    );
  await victim.kill('SIGKILL');
  await beside.query('rollback');
  if (isCarriedOut) clock.advance(leaseMs + 1_000);
  expect((await other.api.get(`/tasks/${taskId}`)).body.data.status).toBe('pending');
  await Promise.all([performDue(runner()), performDue(runner())]);
  const { data } = (await api.get(`/approvals/${body.data.id}`)).body;
  expect([data.status, data.response.body.data]).toMatchObject([
    'done',
    { id: taskId, status: 'completed', version: 2 },
  ]);
  expect((await send()).body).toEqual(data.response.body);
  await feedSettled(other);
  const events = (await other.api.get(`/events?subject=${taskId}`)).body.data as Json[];
  expect(events.map(({ type }) => type as string)).toEqual(['task.created', 'task.completed']);
});

// Another process takes it over half a minute later, when the lease of the killed process has expired.
(isLong ? it : it.skip)(
  'a device gets one command, although the process is killed while it waits for the device',
  async () => {
    const { api, approve } = await asking();
    const { devices, behave, counts } = await simulatorOf(other.api);
    await behave('slow');
    const { body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock`);
    const victim = await startVictim({});
    await approve(victim, body);
    await until(counts, ({ contacts }) => contacts > 0);
    await victim.kill('SIGKILL');
    await startVictim({});
    const ended = await until(
      () => api.get(`/approvals/${body.data.id}`),
      (reply) => !['pending', 'approved'].includes(reply.body.data.status as string),
    );
    expect(ended.body.data.status).toBe('done');
    await until(counts, ({ effects }) => effects > 0);
    expect((await counts()).effects).toBe(1);
    expect((await other.api.get(`/device-commands?deviceId=${devices['sim-lock-1']}`)).body.data).toHaveLength(1);
  },
  240_000,
);
