import { setTimeout as wait } from 'node:timers/promises';
import type { Case } from './case.js';
import { storedTasks } from './keyed-writes.js';
import { startRedis } from './redis-server.js';
import { clockFile, setClock } from './service-processes.js';
import { inWorld } from './world.js';

const limit = 120;
const requests = 200;
const pauseMs = 50;
/** What the requests may take, so that all of them fall into one minute. */
const longestMs = 30_000;
const minuteMs = 60_000;

/** Two nodes share a key's limit in Redis while their clocks go 90 seconds before it and behind it. */
export const clocksApart: Case = {
  name: 'clocks-apart',
  needsRedis: true,
  run: () =>
    inWorld(async (world) => {
      const redis = await startRedis();
      try {
        const startBy = (clock: string) => {
          setClock(world.dataDir, 0, clock);
          const env = { REDIS_URL: redis.url, WORKER: 'off', FAULTS_CLOCK: clockFile(world.dataDir, clock) };
          return world.start('main', env);
        };
        const client = await world.clientOf([await startBy('early'), await startBy('late')], limit);
        const secondOfMinute = (await redis.now()) % 60;
        if (secondOfMinute * 1_000 > minuteMs - longestMs) await wait((60 - secondOfMinute) * 1_000);

        const asked = Array.from({ length: requests }, async (_, request) => {
          await wait(request * pauseMs);
          if (request === requests / 4) setClock(world.dataDir, 90_000, 'early');
          if (request === requests / 2) setClock(world.dataDir, -90_000, 'late');
          return client.once('POST', '/tasks', { name: `Fault ${request}` });
        });
        const answers = await Promise.all(asked);
        const stored = await storedTasks(world.postgres.url);
        const having = (status: number) => answers.filter((answer) => answer.status === status).length;
        return {
          tried: limit,
          acknowledged: having(201),
          stored: stored.length,
          doubled: stored.length - new Set(stored.map(({ name }) => name)).size,
          lost: Math.max(0, having(201) - stored.length),
          more: {
            requests,
            'refused with 429': having(429),
            'answered otherwise': requests - having(201) - having(429),
          },
          forbidden: ['answered otherwise'],
        };
      } finally {
        await redis.stop();
      }
    }),
};
