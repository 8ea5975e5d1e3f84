import { hasRedis } from '../../faults/redis-server.js';

export { type RedisServer, startRedis } from '../../faults/redis-server.js';

/** For what needs a real Redis: skipped where there is none, aloud. */
export function withRedis(): jest.Describe {
  if (hasRedis) return describe;
  console.warn('Skipped: there is no redis-server on this machine');
  return describe.skip;
}
