import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Case, Outcome } from './case.js';
import type { Attempt } from './client.js';
import { missingRedis, startRedis } from './redis-server.js';
import { clockFile, setClock } from './service-processes.js';
import { judgeTasks, madeBy, type StoredTask, storedTasks } from './stored-tasks.js';
import { inWorld } from './world.js';

/** The lowest limit that a key may have. */
const limit = 1_000;
const requests = 1_100;
/** 33 in a second, of 50 that are allowed. */
const pauseMs = 30;
/** The duration of the requests, so that all of them fall into one minute. */
const longestSeconds = 45;

/** Two nodes share a key's limit in Redis while their clocks are 90 seconds ahead and behind. */
export const clocksApart: Case = {
  name: 'clocks-apart',
  missing: missingRedis,
  run: () =>
    inWorld(async (world) => {
      const redis = await startRedis();
      try {
        const startBy = (clock: string) => {
          setClock(world.dataDir, 0, clock);
          const env = {
            REDIS_URL: redis.url,
            WORKER: 'off',
            OVERLOAD_DELAY_MS: '0',
            FAULTS_CLOCK: clockFile(world.dataDir, clock),
          };
          return world.start('main', env);
        };
        const client = await world.clientOf([await startBy('early'), await startBy('late')], limit);
        const secondOfMinute = (await redis.now()) % 60;
        if (secondOfMinute > 60 - longestSeconds) await wait((60 - secondOfMinute) * 1_000);

        const asked = Array.from({ length: requests }, async (_, request) => {
          await wait(request * pauseMs);
          if (request === requests / 4) setClock(world.dataDir, 90_000, 'early');
          if (request === requests / 2) setClock(world.dataDir, -90_000, 'late');
          return client.once('POST', '/tasks', { name: `Fault ${request}` });
        });
        const answers = await Promise.all(asked);
        // These are rejected, but some of them count: nobody waited for Redis to report it.
        const late = occurrences(readFileSync(join(world.dataDir, 'main.log'), 'utf8'), 'rate limiter is unavailable');
        return judgeLimit(answers, late, await storedTasks(world));
      } finally {
        await redis.stop();
      }
    }),
};

/** @param late how many were rejected because Redis took too long. */
export function judgeLimit(answers: readonly Attempt[], late: number, stored: readonly StoredTask[]): Outcome {
  const within = answers.filter(({ status, remaining }) => status !== 429 || remaining > 0);
  const ofBurst = within.filter(({ status }) => status === 429).length;
  return {
    tried: within.length - ofBurst,
    ...judgeTasks(madeBy(answers), stored),
    more: {
      requests: answers.length,
      'counted within the limit': within.length,
      'refused, over 50 a second': ofBurst,
      'refused, Redis answered late': late,
      'refused, over 1,000 a minute': answers.length - within.length - late,
      'of one place in the limit': within.length - new Set(within.map(({ remaining }) => remaining)).size,
      'over the limit': Math.max(0, within.length - limit),
      'refused too early': Math.max(0, limit - within.length - late),
    },
    forbidden: ['of one place in the limit', 'over the limit', 'refused too early'],
  };
}

const occurrences = (text: string, words: string): number => text.split(words).length - 1;
