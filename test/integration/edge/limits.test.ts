import { jest } from '@jest/globals';
import { minuteMs, RateLimitStore } from '#limits';
import type { Api, Reply } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { keyWith } from '../../support/factories.js';
import { mcpOf } from '../../support/mcp.js';
import { isLong } from '../../support/sampled.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let maker: Api;
beforeAll(async () => {
  service = await startApp();
  maker = (await keyWith(service.api)).api;
});
afterAll(() => service.close());
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});

const minute = '2030-05-05T12:00:00.000Z';
const atMinute = Date.parse(minute);
const resetAt = atMinute / 1_000 + 60;

const freshKey = async (wishes: object = {}): Promise<Api> =>
  (await keyWith(maker, { ratePerMinute: 1_000, ...wishes })).api;

const ask = (api: Api): Promise<Reply> => api.get('/me');
const many = (api: Api, count: number): Promise<Reply[]> => Promise.all(Array.from({ length: count }, () => ask(api)));
const statuses = (replies: Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const left = ({ headers }: Reply): number => Number(headers.get('x-ratelimit-remaining'));

/** Spends the budget at 50 a second from the clock's time on, and leaves the clock in the second after the last. */
async function spend(api: Api, count: number): Promise<Record<number, number>> {
  const replies: Reply[] = [];
  while (replies.length < count) {
    replies.push(...(await many(api, Math.min(50, count - replies.length))));
    clock.advance(1_000);
  }
  return statuses(replies);
}

/** Requests of a key that would take too long to send. */
async function count(keyId: string, times: number): Promise<void> {
  const store = service.app.get(RateLimitStore, { strict: false });
  for (let n = 0; n < times; n += 1) await store.increment(keyId, minuteMs, 1_000);
}

const details = (retryAfterSeconds: number, remaining: number, limit = 1_000) => ({
  vendor: 'property-operations',
  retryAfterSeconds,
  rateLimit: { limit, remaining, resetAtEpochSeconds: resetAt },
});

describe('the minute limit', () => {
  // `npm test` tests both doors in test/acceptance/limits.
  (isLong ? it : it.skip)('lets exactly 1000 through, and rejects the next until the minute ends', async () => {
    const api = await freshKey();
    clock.set(minute);
    expect(await spend(api, 1_000)).toEqual({ 200: 1_000 });
    const refused = await ask(api);
    expectEnvelope(refused, refusals.limited);
    expect(refused.body.error).toMatchObject({ message: 'API rate limit exceeded', details: details(40, 0) });
    expect(refused.headers.get('retry-after')).toBe('40');
    expect([left(refused), refused.headers.get('x-ratelimit-limit')]).toEqual([0, '1000']);
    clock.set(atMinute + 59_999);
    expect((await ask(api)).headers.get('retry-after')).toBe('1');
    clock.set(atMinute + 60_000);
    const next = await ask(api);
    expect([next.status, left(next), next.headers.get('x-ratelimit-reset')]).toEqual([200, 999, String(resetAt + 60)]);
  });

  it('follows clock minutes: the window ends on the minute, however late it started', async () => {
    const api = await freshKey();
    clock.set(atMinute + 58_000);
    expect((await ask(api)).headers.get('x-ratelimit-reset')).toBe(String(resetAt));
    clock.set(atMinute + 60_000);
    expect(left(await ask(api))).toBe(999);
  });

  it('counts rejected requests, whatever the reason', async () => {
    const api = await freshKey({ scopes: ['tasks:read'] });
    clock.set(minute);
    const replies = [
      await api.get('/nowhere'),
      await api.post('/tasks', {}),
      await api.get('/tasks?limit=0'),
      await api.get('/tasks/none'),
      await api.send('PUT', '/tasks'),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 403, 400, 404, 404]);
    expect(replies.map(left)).toEqual([999, 998, 997, 996, 995]);
  });

  it('is shared by REST and MCP, one for each HTTP request', async () => {
    const api = await freshKey();
    const mcp = mcpOf(service.url, api.key);
    clock.set(minute);
    expect(left(await ask(api))).toBe(999);
    expect((await mcp.call('getMe')).headers.get('x-ratelimit-remaining')).toBe('998');
    expect((await mcp.call('getTask', { taskId: 'none' })).headers.get('x-ratelimit-remaining')).toBe('997');
    expect(left(await ask(api))).toBe(996);
  });

  it('belongs to a key: two keys of one organization share nothing', async () => {
    const [one, two] = [await freshKey(), await freshKey()];
    clock.set(minute);
    await many(one, 10);
    expect(left(await ask(two))).toBe(999);
  });
});

describe('the second limit', () => {
  it('lets 50 through and rejects the 51st', async () => {
    const api = await freshKey();
    clock.set(minute);
    expect(statuses(await many(api, 50))).toEqual({ 200: 50 });
    const refused = await ask(api);
    expectEnvelope(refused, refusals.limited);
    expect(refused.body.error).toMatchObject({ message: 'API rate limit exceeded', details: details(1, 949) });
    expect([refused.headers.get('retry-after'), left(refused)]).toEqual(['1', 949]);
  });

  it('applies to any second: 50 in the last half of one leave none for the first half of the next', async () => {
    const api = await freshKey();
    clock.set(atMinute + 500);
    await many(api, 50);
    clock.set(atMinute + 1_499);
    expect((await ask(api)).status).toBe(429);
    clock.set(atMinute + 1_500);
    expect(statuses(await many(api, 51))).toEqual({ 200: 50, 429: 1 });
  });

  it('spans the end of a minute', async () => {
    const api = await freshKey();
    clock.set(atMinute + 59_900);
    await many(api, 50);
    clock.set(atMinute + 60_100);
    const refused = await ask(api);
    expect([refused.status, refused.headers.get('retry-after'), left(refused)]).toEqual([429, '1', 999]);
  });

  it('does not count rejected requests: they do not delay later ones', async () => {
    const api = await freshKey();
    clock.set(minute);
    await many(api, 50);
    clock.set(atMinute + 900);
    await many(api, 50);
    clock.set(atMinute + 1_000);
    expect(statuses(await many(api, 50))).toEqual({ 200: 50 });
  });

  it('counts its rejected requests in the minute limit', async () => {
    const api = await freshKey();
    clock.set(minute);
    expect(statuses(await many(api, 60))).toEqual({ 200: 50, 429: 10 });
    clock.advance(1_000);
    expect(left(await ask(api))).toBe(939);
  });

  it('yields to the minute limit if both are exceeded', async () => {
    const { id, api } = await keyWith(maker, { ratePerMinute: 1_000 });
    clock.set(minute);
    for (let second = 0; second < 10; second += 1) {
      await count(id, 98);
      clock.advance(1_000);
    }
    expect(statuses(await many(api, 20))).toEqual({ 200: 20 });
    expect(statuses(await many(api, 30))).toEqual({ 429: 30 });
    const refused = await ask(api);
    expect([refused.headers.get('retry-after'), left(refused)]).toEqual(['50', 0]);
  });

  it('of a key with 6000 a minute is 100', async () => {
    const api = await freshKey({ ratePerMinute: 6_000 });
    clock.set(minute);
    expect(statuses(await many(api, 101))).toEqual({ 200: 100, 429: 1 });
    const refused = await ask(api);
    expect(refused.body.error.details).toEqual(details(1, 5_898, 6_000));
    expect(refused.headers.get('x-ratelimit-limit')).toBe('6000');
  });

  it('of a key with 3001 a minute is 51, rounded up', async () => {
    const api = await freshKey({ ratePerMinute: 3_001 });
    clock.set(minute);
    expect(statuses(await many(api, 52))).toEqual({ 200: 51, 429: 1 });
  });
});

describe('a limiter that', () => {
  const store = () => service.app.get(RateLimitStore, { strict: false });

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['never responds', () => new Promise<never>(() => undefined)],
  ])('%s lets nothing through', async (_, increment) => {
    const api = await freshKey();
    clock.set(minute);
    jest.spyOn(store(), 'increment').mockImplementation(increment);
    const startedAt = performance.now();
    const refused = await ask(api);
    expect(performance.now() - startedAt).toBeLessThan(500);
    expectEnvelope(refused, refusals.limited);
    expect(refused.body.error.details).toEqual(details(5, 0));
    expect([refused.headers.get('retry-after'), left(refused)]).toEqual(['5', 0]);
  });

  it('is back lets requests through again', async () => {
    const api = await freshKey();
    const broken = jest.spyOn(store(), 'increment').mockRejectedValue(new Error('down'));
    expect((await ask(api)).status).toBe(429);
    broken.mockRestore();
    expect((await ask(api)).status).toBe(200);
  });
});

describe('a 401', () => {
  it.each([undefined, 'nonsense', 'sk_live_nobody_knows_this_key_0123456789'])(
    'for %s has no rate headers',
    async (key) => {
      const { status, headers } = await service.api.as(key).get('/me');
      expect(status).toBe(401);
      for (const name of ['limit', 'remaining', 'reset']) expect(headers.has(`x-ratelimit-${name}`)).toBe(false);
    },
  );
});
