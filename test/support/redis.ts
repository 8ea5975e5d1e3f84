import { missingRedis } from '../../faults/redis-server.js';

export { type RedisServer, startRedis } from '../../faults/redis-server.js';

/** For what needs a real Redis: skipped where there is none, aloud. */
export function withRedis(): jest.Describe {
  const lack = missingRedis();
  if (!lack) return describe;
  console.warn(`Skipped: ${lack}`);
  return describe.skip;
}
