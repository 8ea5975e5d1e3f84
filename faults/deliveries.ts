import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '#embedded-postgres';
import type { Case, Outcome } from './case.js';
import { Receiver } from './receiver.js';
import { ServiceProcess, setClock, type Surroundings } from './service-processes.js';

const apiKey = 'sk_live_first_key_of_the_faults_0123456789';
const writers = 8;
/** What each task goes through, in this order. */
const eventTypes = ['task.created', 'task.updated', 'task.started', 'task.completed'];
const endpoints = 4;
/** How far the clock is moved when nothing is sent any more: past the retries that wait. */
const jumpMs = 10 * 60_000;
const quietMs = 1_000;
const longestMs = 20 * 60_000;

interface Plan {
  events: number;
  /** How often something is killed, in turn: a worker, Postgres, the node that answers (and sends, too). */
  kills: number;
}

/** Every third delivery fails, and whoever sends, writes or keeps them is killed again and again meanwhile. */
export const deliveries: Case = {
  name: 'deliveries',
  run: () => deliver({ events: 5_000, kills: 30 }),
};

export async function deliver({ events, kills }: Plan): Promise<Outcome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-faults-'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  const receiver = await Receiver.start();
  const surroundings = { dataDir, databaseUrl: postgres.url, apiKey };
  setClock(dataDir, 0);
  const processes: ServiceProcess[] = [];
  try {
    const node = await ServiceProcess.start('main', surroundings);
    processes.push(node, await ServiceProcess.start('worker', surroundings));
    processes.push(await ServiceProcess.start('worker', surroundings));
    const killed = { node: 0, worker: 0, postgres: 0 };
    const kill = async (turn: number): Promise<void> => {
      const [, ...workers] = processes;
      if (turn % 3 === 0) await workers[Math.floor(turn / 3) % workers.length]?.kill();
      else if (turn % 3 === 1) process.kill(postgres.pid, 'SIGKILL');
      else await node.kill();
      killed[(['worker', 'postgres', 'node'] as const)[turn % 3] as keyof typeof killed] += 1;
    };
    const client = await clientOf(node);
    const propertyIds = await Promise.all(Array.from({ length: endpoints }, () => client.property()));
    for (const propertyId of propertyIds) await client.endpoint(receiver.url, propertyId);

    // A kill each time another part of the events is delivered, writing or not.
    let acknowledged = 0;
    const writing = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let task = writer; task < events / eventTypes.length; task += writers) {
          await client.liveTask(propertyIds[task % endpoints] as string, () => (acknowledged += 1));
        }
      }),
    );
    const startedAt = performance.now();
    const killing = (async () => {
      for (let turn = 0; turn < kills; turn += 1) {
        while (receiver.delivered < ((turn + 1) / (kills + 1)) * events) await wait(20);
        await kill(turn);
      }
    })();
    let aheadMs = 0;
    for (let seen = -1; receiver.delivered < events && performance.now() - startedAt < longestMs;) {
      await wait(quietMs);
      if (seen === receiver.requests) setClock(dataDir, (aheadMs += jumpMs));
      seen = receiver.requests;
    }
    await Promise.all([writing, killing]);
    const seconds = (performance.now() - startedAt) / 1_000;
    const stored = await storedEvents(surroundings, propertyIds);
    return {
      tried: events,
      acknowledged,
      stored: stored.length,
      doubled: stored.length - new Set(stored.map(({ place }) => place)).size,
      lost: stored.filter(({ id }) => !receiver.told.get(id)?.accepted).length,
      forbidden: ['ids that changed', 'out of order'],
      more: {
        delivered: receiver.delivered,
        'delivered more than once': receiver.repeated,
        attempts: receiver.requests,
        'ids that changed': receiver.unstable,
        'out of order': receiver.misordered,
        'kill -9 of a worker': killed.worker,
        'kill -9 of Postgres': killed.postgres,
        'kill -9 of the node': killed.node,
        'seconds (retries skipped over)': seconds.toFixed(0),
      },
    };
  } finally {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    receiver.close();
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Asks until it is answered; the idempotency key makes that once. */
async function clientOf(node: ServiceProcess) {
  const send = async (method: string, path: string, key: string, body: object): Promise<Record<string, string>> => {
    const idempotencyKey = randomUUID();
    for (;;) {
      const response = await fetch(node.url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': idempotencyKey,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      }).catch(() => undefined);
      const text = await response?.text().catch(() => undefined);
      if (response?.ok && text) return (JSON.parse(text) as { data: Record<string, string> }).data;
      const isPassing = !response || !text || response.status >= 500 || [409, 429].includes(response.status);
      if (!isPassing) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      await wait(100);
    }
  };
  const wishes = { name: 'Faults', scopes: ['*'], ratePerMinute: 60_000 };
  const { key } = (await send('POST', '/api-keys', apiKey, wishes)) as { key: string };
  return {
    property: async () =>
      (await send('POST', '/properties', key, { name: 'Lake House', timezone: 'UTC' })).id as string,
    endpoint: (url: string, propertyId: string) =>
      send('POST', '/webhook-endpoints', key, { url, propertyIds: [propertyId], eventTypes }),
    /** The four writes of a task, one after the other. */
    liveTask: async (propertyId: string, acknowledge: () => void) => {
      const { id } = await send('POST', '/tasks', key, { name: 'Change the linen', propertyId });
      acknowledge();
      await send('PATCH', `/tasks/${id}`, key, { priority: 'high' });
      acknowledge();
      for (const move of ['start', 'complete']) {
        await send('POST', `/tasks/${id}/${move}`, key, {});
        acknowledge();
      }
    },
  };
}

/** Of these properties: the first start makes tasks of its own. */
async function storedEvents(
  { databaseUrl }: Surroundings,
  propertyIds: string[],
): Promise<{ id: string; place: string }[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string; place: string }>(
    `select 'event_' || replace(id::text, '-', '') as id, subject_id || ' ' || type as place
       from events where subject_type = 'task' and 'property_' || replace(property_id::text, '-', '') = any($1)`,
    [propertyIds],
  );
  await client.end();
  return rows;
}
