import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from './case.js';
import { KeyedWrites } from './keyed-writes.js';
import { throughOutages } from './outages.js';
import { Receiver } from './receiver.js';
import { missingRedis, startRedis } from './redis-server.js';
import { inWorld } from './world.js';

const tasks = 400;
const longestDeliveryMs = 30_000;

/** Redis counts the limits and distributes the deliveries, and is killed. */
export const redisKilled: Case = {
  name: 'redis-killed',
  missing: missingRedis,
  run: () =>
    inWorld(async (world) => {
      const redis = await startRedis();
      const receiver = await Receiver.start(Infinity);
      try {
        const node = await world.start('main', { REDIS_URL: redis.url });
        const client = await world.clientOf([node]);
        const eventTypes = ['task.created'];
        await client.send('POST', '/webhook-endpoints', { url: receiver.url, eventTypes });
        const writes = new KeyedWrites(client, tasks);
        const seen = await throughOutages({ client, node, writes }, 429, async () => {
          await redis.stop();
          return () => redis.start();
        });
        const counts = await writes.counts(world);
        const writtenAt = performance.now();
        while (receiver.delivered < tasks && performance.now() - writtenAt < longestDeliveryMs) await wait(100);
        return {
          ...counts,
          more: {
            ...seen.more,
            delivered: receiver.delivered,
            'not delivered': tasks - receiver.delivered,
            'out of order': receiver.misordered,
          },
          forbidden: [...seen.forbidden, 'not delivered', 'out of order'],
        };
      } finally {
        receiver.close();
        await redis.stop();
      }
    }),
};
