import { missingRedis } from '../../faults/redis-server.js';

export { type RedisServer, startRedis } from '../../faults/redis-server.js';

/** For tests that need a real Redis: skipped with a message if there is no Redis. */
export function withRedis(): jest.Describe {
  const lack = missingRedis();
  if (!lack) return describe;
  console.warn(`Skipped: ${lack}`);
  return describe.skip;
}
