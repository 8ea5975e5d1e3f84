import { MemorySlidingWindowStore } from '#limits';
import { clock } from '../../support/clock.js';

const noon = Date.parse('2030-05-05T12:00:00Z');
const windowMs = 60_000;
afterEach(() => clock.restore());

function takeEvery(store: MemorySlidingWindowStore, stepMs: number, times: number, limit: number): number[] {
  return Array.from({ length: times }, (_, n) => {
    clock.set(noon + n * stepMs);
    return store.take('key', limit, windowMs);
  });
}

it('returns how long until the oldest place is free', () => {
  expect(takeEvery(new MemorySlidingWindowStore(), 10_000, 8, 3)).toEqual([0, 0, 0, 30_000, 20_000, 10_000, 0, 0]);
});

it('returns how many places are taken', () => {
  const store = new MemorySlidingWindowStore();
  takeEvery(store, 10_000, 3, 3);
  const takenAfter = (ms: number) => (clock.set(noon + ms), store.taken('key', windowMs));
  expect([20_000, 60_000, 79_999, 80_000].map(takenAfter)).toEqual([3, 2, 1, 0]);
  expect(store.taken('another', windowMs)).toBe(0);
});

it.each([
  ['lowered limit counts the newest of the admitted requests', 4, [0, 0, 0, 0], 2, [40_000, 40_000]],
  ['raised limit counts all admitted requests', 2, [0, 0, 40_000, 30_000], 3, [0, 20_000]],
])('a %s', (_, before, waits, after, waitsAfter) => {
  const store = new MemorySlidingWindowStore();
  expect(takeEvery(store, 10_000, 4, before)).toEqual(waits);
  clock.set(noon + 40_000);
  expect([store.take('key', after, windowMs), store.take('key', after, windowMs)]).toEqual(waitsAfter);
});

it('continues when the clock is set back by a whole window', () => {
  const store = new MemorySlidingWindowStore();
  takeEvery(store, 0, 3, 3);
  clock.set(noon - windowMs);
  expect(store.take('key', 3, windowMs)).toBe(0);
});
