import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Case, Outcome } from './case.js';
import type { Client } from './client.js';
import { Receiver } from './receiver.js';
import { setClock } from './service-processes.js';
import { inWorld, type World } from './world.js';

const writers = 8;
/** The steps of each task, in this order. */
const eventTypes = ['task.created', 'task.updated', 'task.started', 'task.completed'];
const endpoints = 4;
/** How far the clock is moved when nothing is sent any more: past the waiting retries. */
const jumpMs = 10 * 60_000;
const quietMs = 1_000;
const longestMs = 20 * 60_000;

interface Plan {
  events: number;
  /** How often something is killed, in turn: a worker, Postgres, the node that serves requests (and sends, too). */
  kills: number;
}

/** Every third delivery fails, and the processes that send, write or store events are killed repeatedly. */
export const deliveries: Case = {
  name: 'deliveries',
  run: () => inWorld((world) => deliver(world, { events: 5_000, kills: 30 })),
};

async function deliver({ dataDir, postgres, start, clientOf }: World, { events, kills }: Plan): Promise<Outcome> {
  const receiver = await Receiver.start();
  try {
    const node = await start('main');
    const workers = [await start('worker'), await start('worker')];
    const killed = { node: 0, worker: 0, postgres: 0 };
    const kill = async (turn: number): Promise<void> => {
      if (turn % 3 === 0) await workers[Math.floor(turn / 3) % workers.length]?.kill();
      else if (turn % 3 === 1) process.kill(postgres.pid, 'SIGKILL');
      else await node.kill();
      killed[(['worker', 'postgres', 'node'] as const)[turn % 3] as keyof typeof killed] += 1;
    };
    const client = await clientOf([node]);
    const propertyIds = await Promise.all(Array.from({ length: endpoints }, () => propertyOf(client)));
    for (const propertyId of propertyIds) {
      await client.send('POST', '/webhook-endpoints', { url: receiver.url, propertyIds: [propertyId], eventTypes });
    }

    // A kill each time another part of the events is delivered, during writes or not.
    let acknowledged = 0;
    const writing = Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let task = writer; task < events / eventTypes.length; task += writers) {
          await liveTask(client, propertyIds[task % endpoints] as string, () => (acknowledged += 1));
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
    const stored = await storedEvents(postgres.url, propertyIds);
    const outcome = judgeDeliveries({ tried: events, acknowledged, stored, receiver });
    const kinds = {
      'kill -9 of a worker': killed.worker,
      'kill -9 of Postgres': killed.postgres,
      'kill -9 of the node': killed.node,
    };
    return { ...outcome, more: { ...outcome.more, ...kinds } };
  } finally {
    receiver.close();
  }
}

interface Told {
  tried: number;
  acknowledged: number;
  /** Each event has its own place: a task, and the change to it. */
  stored: { id: string; place: string }[];
  receiver: Receiver;
}

export const judgeDeliveries = ({ tried, acknowledged, stored, receiver }: Told): Outcome => ({
  tried,
  acknowledged,
  stored: stored.length,
  doubled: stored.length - new Set(stored.map(({ place }) => place)).size,
  lost: stored.filter(({ id }) => !receiver.deliveries.get(id)?.accepted).length,
  more: {
    delivered: receiver.delivered,
    'delivered more than once': receiver.repeated,
    attempts: receiver.requests,
    'ids that changed': receiver.unstable,
    'out of order': receiver.misordered,
  },
  forbidden: ['ids that changed', 'out of order'],
});

async function propertyOf(client: Client): Promise<string> {
  const { id } = await client.send('POST', '/properties', { name: 'Lake House', timezone: 'UTC' });
  return id as string;
}

/** The four writes of a task, one after the other. */
async function liveTask(client: Client, propertyId: string, acknowledge: () => void): Promise<void> {
  const { id } = await client.send('POST', '/tasks', { name: 'Change the linen', propertyId });
  acknowledge();
  await client.send('PATCH', `/tasks/${id}`, { priority: 'high' });
  acknowledge();
  for (const move of ['start', 'complete']) {
    await client.send('POST', `/tasks/${id}/${move}`, {});
    acknowledge();
  }
}

/** Of these properties, because the first start creates tasks of its own. */
async function storedEvents(databaseUrl: string, propertyIds: string[]): Promise<Told['stored']> {
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
