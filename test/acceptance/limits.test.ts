import { jest } from '@jest/globals';
import { RateLimitStore } from '#limits';
import type { Api, Reply } from '../support/api.js';
import { clock } from '../support/clock.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { absentId, keyWith } from '../support/factories.js';
import { mcpOf } from '../support/mcp.js';
import { type Service, startApp } from '../support/start-app.js';
import { doorNames, onlyHere, openTarget, type Target, TARGET_URL } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const number = (headers: Headers, name: string): number => Number(headers.get(`x-ratelimit-${name}`));

describe.each(doorNames)('LIM over %s', (door) => {
  it('has the three headers on every authenticated answer, and on no 401', async () => {
    const answers = [
      await target.ask[door]('getMe'),
      await target.ask[door]('createTask', {}),
      await target.ask[door]('getTask', { taskId: absentId('task') }),
    ];
    for (const { headers } of answers) {
      for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    }
    const { status, headers } = await target.ask[door]('getMe', {}, { key: undefined });
    expect(status).toBe(401);
    for (const name of ['limit', 'remaining', 'reset']) expect(headers.has(`x-ratelimit-${name}`)).toBe(false);
  });

  it('tells the second at which the clock minute ends', async () => {
    const { headers } = await target.ask[door]('getMe');
    const served = Date.parse(headers.get('date') as string) / 1_000;
    expect(number(headers, 'reset') % 60).toBe(0);
    expect(number(headers, 'reset') - served).toBeGreaterThanOrEqual(0);
    expect(number(headers, 'reset') - served).toBeLessThanOrEqual(61);
  });

  it('counts errors as requests', async () => {
    const { key } = await keyWith(target.api, { scopes: ['tasks:read'] });
    const asked = [
      await target.ask[door]('getMe', {}, { key }),
      await target.ask[door]('createTask', { name: 'x' }, { key }),
      await target.ask[door]('getTask', { taskId: 'none' }, { key }),
      await target.ask[door]('listTasks', { limit: 0 }, { key }),
    ];
    const sameMinute = new Set(asked.map(({ headers }) => number(headers, 'reset'))).size === 1;
    const remaining = asked.map(({ headers }) => number(headers, 'remaining'));
    expect(sameMinute ? remaining : [59_999, 59_998, 59_997, 59_996]).toEqual([59_999, 59_998, 59_997, 59_996]);
  });

  it('refuses beyond 50 a second with Retry-After 1 and what is left of the minute', async () => {
    const { key } = await keyWith(target.api, { ratePerMinute: 1_000 });
    const replies = await Promise.all(Array.from({ length: 150 }, () => target.ask[door]('getMe', {}, { key })));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) {
      expectEnvelope(reply, refusals.limited);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(number(reply.headers, 'remaining')).toBeGreaterThan(0);
      expect(reply.body.error.message).toBe('API rate limit exceeded');
      expect(reply.body.error.details).toEqual({
        vendor: expect.any(String),
        retryAfterSeconds: 1,
        rateLimit: {
          limit: 1_000,
          remaining: number(reply.headers, 'remaining'),
          resetAtEpochSeconds: number(reply.headers, 'reset'),
        },
      });
    }
  });
});

describe('LIM', () => {
  it('shows each key its own minute limit', async () => {
    const limits = [];
    for (const ratePerMinute of [1_000, 6_000]) {
      const { api } = await keyWith(target.api, { ratePerMinute });
      limits.push(number((await api.get('/me')).headers, 'limit'));
    }
    const { body } = await target.api.post('/api-keys', { name: 'No limit named', scopes: ['tasks:read'] });
    limits.push(number((await target.api.as(body.data.key).get('/me')).headers, 'limit'));
    expect(limits).toEqual([1_000, 6_000, 1_000]);
  });

  it('counts requests to unknown paths', async () => {
    const { api } = await keyWith(target.api);
    const asked = [await api.get('/me'), await api.get('/nowhere'), await api.send('PUT', '/tasks')];
    const sameMinute = new Set(asked.map(({ headers }) => number(headers, 'reset'))).size === 1;
    const remaining = asked.map(({ headers }) => number(headers, 'remaining'));
    expect(sameMinute ? remaining : [59_999, 59_998, 59_997]).toEqual([59_999, 59_998, 59_997]);
  });
});

describe('LIM under a clock', () => {
  let service: Service;
  let maker: Api;
  beforeAll(async () => {
    if (TARGET_URL) return;
    service = await startApp();
    maker = (await keyWith(service.api)).api;
  });
  afterAll(() => service?.close());
  afterEach(() => {
    clock.restore();
    jest.restoreAllMocks();
  });

  const moved = onlyHere('the clock is moved');
  const noon = '2030-05-05T12:00:00Z';
  const reset = Date.parse(noon) / 1_000 + 60;
  const fresh = async (ratePerMinute: number): Promise<Api> => (await keyWith(maker, { ratePerMinute })).api;
  const many = async (api: Api, count: number): Promise<Reply[]> =>
    await Promise.all(Array.from({ length: count }, () => api.get('/me')));
  const passed = (replies: Reply[]): number => replies.filter(({ status }) => status === 200).length;

  moved('lets 1,000 through in a minute and 50 in a second, and no more', async () => {
    const api = await fresh(1_000);
    clock.set(noon);
    let through = 0;
    for (let second = 0; second < 21; second += 1) {
      const replies = await many(api, 48);
      expect(passed(replies)).toBe(second < 20 ? 48 : 40);
      through += passed(replies);
      clock.advance(1_000);
    }
    expect(through).toBe(1_000);
    const other = await fresh(1_000);
    expect(passed(await many(other, 60))).toBe(50);
  });

  moved('refuses beyond the minute until the next one starts, with nothing left', async () => {
    const api = await fresh(1_000);
    clock.set(noon);
    for (let second = 0; second < 20; second += 1) {
      await many(api, 50);
      clock.advance(1_000);
    }
    const refused = await api.get('/me');
    expectEnvelope(refused, refusals.limited);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.body.error.details).toEqual({
      vendor: 'property-operations',
      retryAfterSeconds: 40,
      rateLimit: { limit: 1_000, remaining: 0, resetAtEpochSeconds: reset },
    });
    const mcp = await mcpOf(service.url, api.key).call('getMe');
    expect([mcp.status, mcp.body.error.code, mcp.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '40']);
  });

  moved('starts anew with the clock minute', async () => {
    const api = await fresh(1_000);
    clock.set('2030-05-05T12:00:59.999Z');
    const before = await api.get('/me');
    clock.set('2030-05-05T12:01:00.000Z');
    const after = await api.get('/me');
    expect([before, after].map(({ headers }) => [number(headers, 'remaining'), number(headers, 'reset')])).toEqual([
      [999, reset],
      [999, reset + 60],
    ]);
  });

  moved('gives a key with 6,000 a minute a burst of 100, and one with 1,000 its 50', async () => {
    const [fast, slow] = [await fresh(6_000), await fresh(1_000)];
    clock.set(noon);
    expect([passed(await many(fast, 110)), passed(await many(slow, 110))]).toEqual([100, 50]);
  });

  onlyHere('the limiter is taken away')('refuses with 429 when the limiter is unavailable', async () => {
    const api = await fresh(1_000);
    jest.spyOn(service.app.get(RateLimitStore, { strict: false }), 'take').mockRejectedValue(new Error('down'));
    const refused = await api.get('/me');
    expectEnvelope(refused, refusals.limited);
    expect([refused.headers.get('retry-after'), number(refused.headers, 'remaining')]).toEqual(['5', 0]);
    expect((await mcpOf(service.url, api.key).call('getMe')).status).toBe(429);
  });
});
