import { burstOf, MemoryRateLimitStore, type RateVerdict } from '#limits';
import { clock } from '../../support/clock.js';

const minute = Date.parse('2030-05-05T12:00:00Z');
afterEach(() => clock.restore());

function takeMany(store: MemoryRateLimitStore, count: number, limit = 1_000): RateVerdict[] {
  return Array.from({ length: count }, () => store.take('key', limit));
}
const allowed = (verdicts: RateVerdict[]): number => verdicts.filter((verdict) => verdict.allowed).length;

it.each([
  [1_000, 50],
  [3_000, 50],
  [3_001, 51],
  [6_000, 100],
  [60_000, 1_000],
])('a limit of %i a minute has a burst of %i', (limit, burst) => {
  expect(burstOf(limit)).toBe(burst);
  clock.set(minute);
  expect(allowed(takeMany(new MemoryRateLimitStore(), burst + 5, limit))).toBe(burst);
});

it('never admits more than the burst in any second, whenever requests come', () => {
  const store = new MemoryRateLimitStore();
  const admitted: number[] = [];
  // Park and Miller's sequence: irregular, and the same at every run.
  let seed = 7;
  for (let now = minute; now < minute + 20_000; now += seed % 40) {
    seed = (seed * 48_271) % 2_147_483_647;
    clock.set(now);
    for (let n = 0; n < seed % 9; n += 1) if (store.take('key', 60_000 / 20).allowed) admitted.push(now);
  }
  expect(admitted.length).toBeGreaterThan(700);
  for (const [index, at] of admitted.entries()) {
    const next = admitted[index + 50];
    expect(next === undefined || next - at >= 1_000).toBe(true);
  }
});

it('counts what it refuses in the minute, and says the minute where both are exceeded', () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  expect(takeMany(store, 60).at(-1)).toMatchObject({
    allowed: false,
    exceeded: 'burst',
    remaining: 940,
    retryAfterSeconds: 1,
  });
  takeMany(store, 940);
  expect(store.take('key', 1_000)).toEqual({
    allowed: false,
    exceeded: 'minute',
    limit: 1_000,
    remaining: 0,
    resetAtEpochSeconds: minute / 1_000 + 60,
    retryAfterSeconds: 60,
  });
});

it('starts anew with the clock minute, but not with the second', () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute + 59_999);
  takeMany(store, 50);
  clock.set(minute + 60_000);
  expect(store.take('key', 1_000)).toMatchObject({ exceeded: 'burst', remaining: 999 });
  clock.set(minute + 60_999);
  expect(store.take('key', 1_000)).toMatchObject({ allowed: true, remaining: 998 });
});

it('keeps principals apart', () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  takeMany(store, 60);
  expect(store.take('another', 1_000)).toMatchObject({ allowed: true, remaining: 999 });
});

it('goes on when the clock is set back', () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  takeMany(store, 50);
  clock.set(minute - 90_000);
  expect(store.take('key', 1_000).allowed).toBe(true);
});

it('takes a lowered limit to heart', () => {
  const store = new MemoryRateLimitStore();
  clock.set(minute);
  expect(allowed(takeMany(store, 100, 6_000))).toBe(100);
  clock.set(minute + 1_000);
  expect(allowed(takeMany(store, 100, 3_000))).toBe(50);
});
