import { burstOf, minuteMs, RedisLimits, type RateVerdict } from '#limits';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type RedisServer, startRedis, withRedis } from '../../support/redis.js';
import { shortestOf, type Span } from '../../support/spans.js';
import { type Service, startApp } from '../../support/start-app.js';

let redis: RedisServer;
let nodes: RedisLimits[] = [];
const unreachable = /max retries|isn't writeable|closed/i;
const silent = { warn: () => undefined };
const node = async (): Promise<RedisLimits> => {
  const opened = await RedisLimits.open({ url: redis.url, prefix: 'tests' }, silent);
  nodes.push(opened);
  return opened;
};

withRedis()('limits in Redis', () => {
  beforeAll(async () => {
    redis = await startRedis();
    nodes = [];
    for (let n = 0; n < 4; n += 1) await node();
  });
  afterAll(async () => {
    for (const opened of nodes) opened.close();
    await redis.stop();
  });
  afterEach(() => clock.restore());

  const rates = (n: number) => (nodes[n] as RedisLimits).rates;

  it('count exactly 1000 a minute, over 4 nodes of 16 clients each', async () => {
    const clients = nodes.flatMap(({ rates: store }) => Array.from({ length: 16 }, () => store));
    const verdicts: RateVerdict[] = [];
    const client = async (store: (typeof clients)[number]): Promise<void> => {
      for (let time = 0; time < 20; time += 1) verdicts.push(await store.increment('crowd', minuteMs, 1_000));
    };
    await Promise.all(clients.map(client));
    expect(verdicts).toHaveLength(1_280);
    // Real time may have reached the next minute, so each minute is checked separately.
    for (const minute of new Set(verdicts.map(({ resetAtEpochSeconds }) => resetAtEpochSeconds))) {
      const counted = verdicts.filter(({ resetAtEpochSeconds }) => resetAtEpochSeconds === minute);
      const within = counted.filter(({ exceeded }) => exceeded !== 'minute');
      expect(within).toHaveLength(Math.min(1_000, counted.length));
      expect(new Set(within.map(({ remaining }) => remaining)).size).toBe(within.length);
    }
  });

  it('admit no more than the burst in any second, over 4 nodes of 16 clients each', async () => {
    const [limit, endsAt] = [60_000 / 20, performance.now() + 2_300];
    const admitted: Span[] = [];
    const client = async (n: number): Promise<void> => {
      while (performance.now() < endsAt) {
        const from = performance.now();
        const { isBlocked, exceeded } = await rates(n % 4).increment('burst', minuteMs, limit);
        if (!isBlocked) admitted.push({ from, to: performance.now() });
        if (exceeded) await new Promise((resolve) => setTimeout(resolve, 60));
      }
    };
    await Promise.all(Array.from({ length: 64 }, (_, n) => client(n)));
    expect(admitted.length).toBeGreaterThanOrEqual(2 * burstOf(limit));
    expect(shortestOf(burstOf(limit) + 1, admitted)).toBeGreaterThan(1_000);
  }, 15_000);

  it('follow Redis’s clock: a node with a wrong clock changes nothing', async () => {
    const startedAt = await redis.now();
    const seen: RateVerdict[] = [];
    for (const [n, step] of [90_000, -300_000, 0].entries()) {
      seen.push(await rates(n).increment('clock', minuteMs, 1_000));
      clock.advance(step);
    }
    const minuteEnd = (seconds: number): number => (Math.floor(seconds / 60) + 1) * 60;
    const ends = [minuteEnd(startedAt), minuteEnd(await redis.now())];
    for (const { resetAtEpochSeconds } of seen) expect(ends).toContain(resetAtEpochSeconds);
    // One less each time, unless a minute of Redis ends in between.
    const counted = seen.filter(({ resetAtEpochSeconds }) => resetAtEpochSeconds === seen[0]?.resetAtEpochSeconds);
    expect(counted.map(({ remaining }) => remaining)).toEqual([999, 998, 997].slice(0, counted.length));
  });

  it('count addresses for all nodes together', async () => {
    const count = async (n: number) =>
      await (nodes[n % 4] as RedisLimits).minutes.increment('address 198.51.100.1', minuteMs, 600);
    const verdicts = await Promise.all(Array.from({ length: 20 }, (_, n) => count(n)));
    for (const end of new Set(verdicts.map(({ resetAtEpochSeconds }) => resetAtEpochSeconds))) {
      const counted = verdicts.filter(({ resetAtEpochSeconds }) => resetAtEpochSeconds === end);
      expect(counted.map(({ remaining }) => remaining).sort()).toEqual(counted.map((_, n) => 599 - n).sort());
    }
  });

  it('slide: nodes share the places of a window, which become free when it ends', async () => {
    const windowMs = 1_500;
    const take = async (n: number) => (nodes[n % 4] as RedisLimits).windows.take('models:org', 10, windowMs);
    const startedAt = performance.now();
    const waits = await Promise.all(Array.from({ length: 30 }, (_, n) => take(n)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    expect(Math.max(...waits)).toBeLessThanOrEqual(windowMs);
    await until(
      () => take(0),
      (wait) => wait === 0,
    );
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(windowMs);
  });

  it('report how many places of a window are taken', async () => {
    const [first, second] = nodes.map(({ windows }) => windows);
    await first?.take('models:other', 10, 300);
    for (let n = 0; n < 3; n += 1) await first?.take('models:counted', 2, minuteMs);
    expect(await second?.taken('models:counted', minuteMs)).toBe(2);
    expect(await second?.taken('models:nobody', minuteMs)).toBe(0);
    await until(
      async () => await second?.taken('models:other', 300),
      (taken) => taken === 0,
    );
  });

  describe('a service whose Redis', () => {
    let service: Service;
    let api: Api;
    let probe: Api;
    beforeAll(async () => {
      service = await startApp({ REDIS_URL: redis.url });
      api = (await keyWith(service.api)).api;
      probe = service.api.as(undefined);
    });
    afterAll(() => service.close());

    const isBack = () =>
      until(
        () => api.get('/me'),
        ({ status }) => status === 200,
      );
    /** Nothing is let through, quickly, and the process remains healthy. */
    async function expectClosed(): Promise<void> {
      const startedAt = performance.now();
      const refused = await api.get('/me');
      expect(performance.now() - startedAt).toBeLessThan(1_000);
      expectEnvelope(refused, refusals.limited);
      expect(refused.body.error.details).toMatchObject({ retryAfterSeconds: 5, rateLimit: { remaining: 0 } });
      expect(refused.headers.get('retry-after')).toBe('5');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      for (const path of ['/healthz', '/readyz']) expect((await probe.get(path)).status).toBe(200);
      await expect((nodes[0] as RedisLimits).windows.take('models:org', 10, 1_500)).rejects.toThrow(unreachable);
    }

    it('pauses, rejects requests, and recovers when it resumes', async () => {
      await isBack();
      redis.signal('SIGSTOP');
      await expectClosed();
      redis.signal('SIGCONT');
      await isBack();
    });

    it('is down, rejects requests, and recovers when it is back', async () => {
      await redis.stop();
      await expectClosed();
      await redis.start();
      await isBack();
    });
  });

  it('do not keep a service from starting while Redis is down', async () => {
    await redis.stop();
    const opened = await node();
    await expect(opened.rates.increment('early', minuteMs, 1_000)).rejects.toThrow(unreachable);
    await redis.start();
    const isCounting = async (): Promise<boolean> =>
      !(await opened.rates.increment('early', minuteMs, 1_000)).isBlocked;
    await until(() => isCounting().catch(() => false), Boolean);
  });
});
