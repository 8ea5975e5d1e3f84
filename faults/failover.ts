import { setTimeout as wait } from 'node:timers/promises';
import type { Case, Outcome } from './case.js';
import { DatabasePair } from './database-pair.js';
import { KeyedWrites } from './keyed-writes.js';
import { Receiver } from './receiver.js';
import { judgeFailover } from './refusals.js';
import { inWorld, type World } from './world.js';

const tasks = 2_000;
const promotedAfterMs = 2_000;
const longestMs = 120_000;

/** The primary is killed during writes, and its standby takes over; the service is not restarted. */
export const failover: Case = {
  name: 'failover',
  run: async () => {
    let pair: DatabasePair | undefined;
    return await inWorld(
      (world) => failOver(world, pair as DatabasePair),
      async (dataDir) => (pair = await DatabasePair.start(dataDir)),
    );
  },
};

async function failOver(world: World, pair: DatabasePair): Promise<Outcome> {
  const receiver = await Receiver.start(Number.POSITIVE_INFINITY);
  try {
    const node = await world.start('main');
    await world.start('worker');
    const client = await world.clientOf([node]);
    await client.send('POST', '/webhook-endpoints', { url: receiver.url, eventTypes: ['task.created'] });
    const writes = new KeyedWrites(client, tasks);
    await writes.have(0.4);

    const killedAt = performance.now();
    pair.killPrimary();
    await wait(promotedAfterMs);
    const promotingAt = performance.now();
    await pair.promote();
    const promotedAt = performance.now();
    const counts = await writes.counts(world);
    for (const since = performance.now(); receiver.delivered < tasks && performance.now() - since < longestMs;)
      await wait(100);

    const seen = judgeFailover(client.attempts, [killedAt, promotingAt], promotedAt);
    return {
      ...counts,
      more: {
        ...seen.more,
        'events not delivered': tasks - receiver.delivered,
        'events out of order': receiver.misordered,
      },
      forbidden: [...seen.forbidden, 'events not delivered', 'events out of order'],
    };
  } finally {
    receiver.close();
  }
}
