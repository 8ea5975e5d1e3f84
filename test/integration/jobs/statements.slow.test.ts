import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { Jobs } from '#jobs';
import { WakeUps } from '#wake-ups';
import { AuditSealer } from '../../../src/platform/audit/audit-sealer.js';
import type { Api } from '../../support/api.js';
import { taskOf } from '../../support/factories.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf } from '../../support/workflows.js';

/** Two processes of one database: one serves requests, and one works. */
let node: Service;
let worker: Service;
let api: Api;
let receiver: Receiver;

/** The statements that each has sent. */
const sent = { node: [] as string[], worker: [] as string[] };
const query = pg.Client.prototype.query as (this: pg.Client, ...given: unknown[]) => unknown;
/** The statements of each round trip of the node. */
let trips: string[][] = [];
interface Given {
  text?: string;
  statements?: { text: string }[];
}
beforeAll(async () => {
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [asked] = given as [string | Given];
    const texts =
      typeof asked === 'string' ? [asked] : (asked.statements?.map(({ text }) => text) ?? [asked.text ?? '']);
    const { connectionParameters: of } = this as unknown as { connectionParameters: { application_name?: string } };
    if (of.application_name !== 'worker') trips.push(texts);
    sent[of.application_name === 'worker' ? 'worker' : 'node'].push(...texts);
    return query.apply(this, given);
  } as typeof pg.Client.prototype.query;
  receiver = await startReceiver();
  node = await startApp({ WORKER: 'off', OUTBOUND_ALLOW: '127.0.0.1' });
  const { database, keyring } = node;
  const url = `${database.url}&application_name=worker`;
  worker = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' }, { database: { ...database, url }, keyring });
  ({ api } = node);
});
afterAll(async () => {
  await worker.close();
  await node.close();
  await receiver.close();
  pg.Client.prototype.query = query as typeof pg.Client.prototype.query;
});

const quietMs = 300;
const count = (): number => sent.node.length + sent.worker.length;

/** Until nothing has been sent for a while. */
async function quiet(): Promise<void> {
  for (let before = -1; before !== count(); await wait(quietMs)) before = count();
}

/** The statement with which a process looks every few seconds for due work, whoever writes what. */
const looksForAll = (text: string): boolean => text.includes('as now,');
const looksFor = (text: string): boolean => /^\s*with recursive|from workflow_feeds f\b/.test(text);

/** What the worker sends because of a keyed create. */
async function causedByAWrite(): Promise<string[]> {
  await quiet();
  [sent.node, sent.worker] = [[], []];
  await api.post('/tasks', { name: 'Change the linen' }, { 'Idempotency-Key': randomUUID() });
  await quiet();
  return sent.worker.filter((text) => !looksForAll(text));
}

/** What opens the queue of a lane, as its first work does. */
interface Lanes {
  taken: Map<string, { work: { lane: object } }>;
  laneOf: (lane: object) => Promise<unknown>;
}

it('an idle process sends at most one statement a second, and one that does not work sends none', async () => {
  await worker.app.get(AuditSealer).runDue();
  // As if each lane had had work; its queue is asked every few minutes, which only the long form sees.
  const jobs = worker.app.get(Jobs) as unknown as Lanes;
  for (const { work } of jobs.taken.values()) await jobs.laneOf(work.lane);
  const seconds = process.env.TEST_LONG ? 60 : 6;
  const sentIn = async (): Promise<typeof sent> => {
    await quiet();
    [sent.node, sent.worker] = [[], []];
    await wait(seconds * 1_000);
    return { ...sent };
  };
  // Work left from the start, or a round that runs every few minutes, may fall into the first seconds.
  let idle = await sentIn();
  for (let tries = 1; tries < 3 && idle.worker.length > seconds; tries += 1) idle = await sentIn();
  expect(idle.node).toEqual([]);
  expect(idle.worker.length).toBeLessThanOrEqual(seconds);
}, 300_000);

it('a write that concerns no background work wakes none, and is announced once', async () => {
  expect(await causedByAWrite()).toEqual([]);
  expect(sent.node.filter((text) => text.includes('pg_notify'))).toHaveLength(1);
});

it('a create with a new key is claimed, written and recorded in one round trip', async () => {
  await quiet();
  trips = [];
  await api.post('/tasks', { name: 'Change the linen' }, { 'Idempotency-Key': randomUUID() });
  const own =
    /claim_new_idempotency_key|insert into "?tasks|insert into "?idempotency_records|^(begin|commit|savepoint)/i;
  const working = trips.filter((texts) => texts.some((text) => own.test(text)));
  expect(working).toHaveLength(1);
  expect(working[0]?.filter((text) => own.test(text))).toHaveLength(3);
});

it('a write that two kinds of background work follow is looked for once by each, in another process', async () => {
  await api.post('/webhook-endpoints', { url: receiver.url, eventTypes: ['task.created'] });
  await activeWorkflowOf(api);
  await taskOf(api);
  await receiver.count(1);
  const looked = (await causedByAWrite()).filter(looksFor);
  await receiver.count(2);
  const [deliveries, feeds] = ['webhook_deliveries', 'workflow_feeds'].map((table) =>
    looked.filter((text) => text.includes(table)),
  );
  expect(deliveries).toHaveLength(1);
  // The feed is looked at again while a transaction in progress, here of other tests as well, hides the event.
  expect(new Set(feeds).size).toBe(1);
});

it('what a process committed before it ended without a notification is delivered anyway', async () => {
  await node.app.get(WakeUps).close();
  const before = receiver.received.length;
  await taskOf(api);
  await receiver.count(before + 1);
  expect(receiver.received).toHaveLength(before + 1);
});
