import { jest } from '@jest/globals';
import { RateLimitStore } from '#limits';
import type { Api, Reply } from '../support/api.js';
import { clock } from '../support/clock.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { absentId, keyWith } from '../support/factories.js';
import { type Mcp, mcpOf, type ToolReply } from '../support/mcp.js';
import { serviceClock } from '../support/service-clock.js';
import { type Service, startApp } from '../support/start-app.js';
import { doorNames, onlyHere, openTarget, type Target, TARGET_URL } from '../support/target.js';

let target: Target;
let reader: string;
beforeAll(async () => {
  target = await openTarget();
  reader = (await keyWith(target.api, { scopes: ['tasks:read'] })).key;
});
afterAll(() => target.close());

const number = (headers: Headers, name: string): number => Number(headers.get(`x-ratelimit-${name}`));

describe.each(doorNames)('LIM over %s', (door) => {
  it('has the three headers on every authenticated response, and on no 401', async () => {
    const answers = [
      await target.ask[door]('getMe'),
      await target.ask[door]('createTask', {}),
      await target.ask[door]('getTask', { taskId: absentId('task') }),
      await target.ask[door]('createTask', { name: 'x' }, { key: reader }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 404, 403]);
    for (const { headers } of answers) {
      for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
    }
    const { status, headers } = await target.ask[door]('getMe', {}, { key: undefined });
    expect(status).toBe(401);
    for (const name of ['limit', 'remaining', 'reset']) expect(headers.has(`x-ratelimit-${name}`)).toBe(false);
  });

  it('returns the second at which the clock minute ends', async () => {
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

  it('rejects beyond 50 a second with Retry-After 1 and the remaining requests of the minute', async () => {
    const { key } = await keyWith(target.api, { ratePerMinute: 1_000 });
    // A busy machine takes seconds for this many requests, so the clock of a service in this process is stopped.
    clock.set(Date.now());
    const replies = await Promise.all(Array.from({ length: 150 }, () => target.ask[door]('getMe', {}, { key })));
    clock.restore();
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

  it('shows each key its own minute limit', async () => {
    const limits = [];
    for (const ratePerMinute of [1_000, 6_000, undefined]) {
      const { key } = await keyWith(target.api, { ratePerMinute });
      limits.push(number((await target.ask[door]('getMe', {}, { key })).headers, 'limit'));
    }
    expect(limits).toEqual([1_000, 6_000, 1_000]);
  });
});

describe('LIM', () => {
  it('counts requests to unknown paths, and for unknown tools', async () => {
    const { api, key } = await keyWith(target.api);
    const mcp = mcpOf(target.mcpUrl, key);
    const asked = [
      await api.get('/me'),
      await api.get('/nowhere'),
      await api.send('PUT', '/tasks'),
      await mcp.call('fly'),
      await mcp.call('getMe'),
    ];
    const sameMinute = new Set(asked.map(({ headers }) => number(headers, 'reset'))).size === 1;
    const remaining = asked.map(({ headers }) => number(headers, 'remaining'));
    const expected = [59_999, 59_998, 59_997, 59_996, 59_995];
    expect(sameMinute ? remaining : expected).toEqual(expected);
  });
});

describe('LIM under a clock', () => {
  let service: Pick<Service, 'url' | 'api'> & Partial<Service>;
  let maker: Api;
  beforeAll(async () => {
    service = TARGET_URL ? target : await startApp();
    maker = (await keyWith(service.api)).api;
  });
  afterAll(() => (TARGET_URL ? undefined : service.close?.()));
  afterEach(() => {
    clock.restore();
    jest.restoreAllMocks();
  });

  const stopped = onlyHere('the clock is stopped');
  const fresh = async (ratePerMinute: number): Promise<Api> => (await keyWith(maker, { ratePerMinute })).api;
  const mcpFor = ({ key }: Api): Mcp => mcpOf(TARGET_URL ? target.mcpUrl : service.url, key);
  /** Over both doors in turn. */
  const many = async (api: Api, count: number): Promise<(Reply | ToolReply)[]> =>
    await Promise.all(Array.from({ length: count }, (_, n) => (n % 2 ? mcpFor(api).call('getMe') : api.get('/me'))));
  const passed = (replies: { status: number }[]): number => replies.filter(({ status }) => status === 200).length;

  it('lets 1,000 through in a minute, and then none until the next one starts', async () => {
    const api = await fresh(1_000);
    await serviceClock.toFreshMinute();
    let through = 0;
    for (let second = 0; second < 21; second += 1) {
      const replies = await many(api, 48);
      expect(passed(replies)).toBe(second < 20 ? 48 : 40);
      through += passed(replies);
      await serviceClock.nextSecond();
    }
    expect(through).toBe(1_000);
    for (const refused of [await api.get('/me'), await mcpFor(api).call('getMe')]) {
      expectEnvelope(refused, refusals.limited);
      const left = Math.ceil((number(refused.headers, 'reset') * 1_000 - serviceClock.now()) / 1_000);
      const retryAfterSeconds = Number(refused.headers.get('retry-after'));
      expect(Math.abs(retryAfterSeconds - left)).toBeLessThanOrEqual(TARGET_URL ? 2 : 0);
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      expect(refused.body.error.details).toEqual({
        vendor: expect.any(String),
        retryAfterSeconds,
        rateLimit: { limit: 1_000, remaining: 0, resetAtEpochSeconds: number(refused.headers, 'reset') },
      });
    }
    await serviceClock.toFreshMinute();
    expect([(await api.get('/me')).status, (await mcpFor(api).call('getMe')).status]).toEqual([200, 200]);
  });

  stopped('lets 50 through in a second, and returns the remaining requests of the minute', async () => {
    const api = await fresh(1_000);
    await serviceClock.toFreshMinute();
    const replies = await many(api, 60);
    expect(passed(replies)).toBe(50);
    const left = replies.filter(({ status }) => status === 429).map(({ headers }) => number(headers, 'remaining'));
    expect(left.sort()).toEqual([940, 941, 942, 943, 944, 945, 946, 947, 948, 949]);
  });

  it('resets at the start of each minute', async () => {
    const api = await fresh(1_000);
    await serviceClock.toFreshMinute();
    const before = [await api.get('/me'), await mcpFor(api).call('getMe')];
    await serviceClock.toFreshMinute();
    const after = [await mcpFor(api).call('getMe'), await api.get('/me')];
    const reset = number((before[0] as Reply).headers, 'reset');
    const shown = [...before, ...after].map(({ headers }) => [number(headers, 'remaining'), number(headers, 'reset')]);
    expect(shown).toEqual([
      [999, reset],
      [998, reset],
      [999, reset + 60],
      [998, reset + 60],
    ]);
  });

  stopped('gives a key with 6,000 a minute a burst of 100, one with 3,001 51, and one with 1,000 its 50', async () => {
    const keys = [await fresh(6_000), await fresh(3_001), await fresh(1_000)];
    await serviceClock.toFreshMinute();
    const bursts = [];
    for (const api of keys) bursts.push(passed(await many(api, 110)));
    expect(bursts).toEqual([100, 51, 50]);
  });

  onlyHere('the limiter is taken away')('returns 429 when the limiter is unavailable', async () => {
    const api = await fresh(1_000);
    const store = (service as Service).app.get(RateLimitStore, { strict: false });
    jest.spyOn(store, 'increment').mockRejectedValue(new Error('down'));
    for (const refused of [await api.get('/me'), await mcpFor(api).call('getMe')]) {
      expectEnvelope(refused, refusals.limited);
      expect([refused.headers.get('retry-after'), number(refused.headers, 'remaining')]).toEqual(['5', 0]);
    }
  });
});
