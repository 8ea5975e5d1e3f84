import { burstOf, MemoryRateLimitStore, minuteMs, type RateVerdict } from '#limits';
import { clock } from '../../support/clock.js';

const minute = Date.parse('2030-05-05T12:00:00Z');
afterEach(() => clock.restore());

const countOne = (store: MemoryRateLimitStore, key = 'key', limit = 1_000): Promise<RateVerdict> =>
  store.increment(key, minuteMs, limit);

const countMany = (store: MemoryRateLimitStore, count: number, limit = 1_000): Promise<RateVerdict[]> =>
  Promise.all(Array.from({ length: count }, () => countOne(store, 'key', limit)));

const allowed = (verdicts: RateVerdict[]): number => verdicts.filter(({ isBlocked }) => !isBlocked).length;

it.each([
  [1_000, 50],
  [3_000, 50],
  [3_001, 51],
  [6_000, 100],
  [60_000, 1_000],
])('a limit of %i a minute has a burst of %i', async (limit, burst) => {
  expect(burstOf(limit)).toBe(burst);
  clock.set(minute);
  expect(allowed(await countMany(new MemoryRateLimitStore(), burst + 5, limit))).toBe(burst);
});

it('never admits more than the burst in any second, whenever requests arrive', async () => {
  const store = new MemoryRateLimitStore();
  const admitted: number[] = [];
  // Park and Miller's sequence: irregular, and the same at every run.
  let seed = 7;
  for (let now = minute; now < minute + 20_000; now += seed % 40) {
    seed = (seed * 48_271) % 2_147_483_647;
    clock.set(now);
    const count = allowed(await countMany(store, seed % 9, 60_000 / 20));
    for (let n = 0; n < count; n += 1) admitted.push(now);
  }
  expect(admitted.length).toBeGreaterThan(700);
  for (const [index, at] of admitted.entries()) {
    const next = admitted[index + 50];
    expect(next === undefined || next - at >= 1_000).toBe(true);
  }
});

it('counts rejected requests in the minute, and reports the minute if both are exceeded', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  expect((await countMany(store, 60)).at(-1)).toMatchObject({
    isBlocked: true,
    exceeded: 'burst',
    remaining: 940,
    timeToBlockExpire: 1,
  });
  await countMany(store, 940);
  expect(await countOne(store)).toEqual({
    isBlocked: true,
    exceeded: 'minute',
    limit: 1_000,
    remaining: 0,
    resetAtEpochSeconds: minute / 1_000 + 60,
    totalHits: 1_001,
    timeToExpire: 60,
    timeToBlockExpire: 60,
  });
});

it('resets with the minute, but not with the second', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute + 59_999);
  await countMany(store, 50);
  clock.set(minute + 60_000);
  expect(await countOne(store)).toMatchObject({ exceeded: 'burst', remaining: 999 });
  clock.set(minute + 60_999);
  expect(await countOne(store)).toMatchObject({ isBlocked: false, remaining: 998 });
});

it('keeps principals separate', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  await countMany(store, 60);
  expect(await countOne(store, 'another')).toMatchObject({ isBlocked: false, remaining: 999 });
});

it('continues when the clock is set back', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  await countMany(store, 50);
  clock.set(minute - 90_000);
  expect((await countOne(store)).isBlocked).toBe(false);
});

it('applies a lowered limit', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  expect(allowed(await countMany(store, 100, 6_000))).toBe(100);
  clock.set(minute + 1_000);
  expect(allowed(await countMany(store, 100, 3_000))).toBe(50);
});

it('forgets who requested nothing for a whole minute', async () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  await countOne(store, 'gone');
  clock.set(minute + 60_000);
  await countOne(store);
  clock.set(minute + 120_000);
  await countOne(store);
  expect([...(store as unknown as { counts: Map<string, unknown> }).counts.keys()]).toEqual(['key']);
});
