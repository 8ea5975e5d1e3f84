import { Ahead } from '../../../libs/loop-time/ahead.js';

/** @param lately what each has used of it. */
const aheadOf = (recent: Record<string, number>, lately = 300): Ahead =>
  new Ahead({ recent: () => new Map(Object.entries(recent)), lately: () => lately });

it('is the owner that uses most of the loop while others have work for it too', () => {
  const ahead = aheadOf({ attacker: 300, victim: 10 });
  expect([ahead.has('attacker'), ahead.has('victim'), ahead.has('nobody')]).toEqual([true, false, false]);
});

it('is nobody while nobody else uses the loop', () => {
  expect(aheadOf({ only: 9_000, probe: 9 }).has('only')).toBe(false);
});

it('is nobody who uses less than an equal part', () => {
  const ahead = aheadOf({ victim: 299, attacker: 500, other: 101 });
  expect([ahead.has('victim'), ahead.has('attacker')]).toEqual([false, true]);
});

it.each([
  [299, false],
  [300, true],
])('is nobody who has hardly used the loop lately: %i ms is enough: %s', (lately, isAhead) => {
  expect(aheadOf({ victim: 700, attacker: 400 }, lately).has('victim')).toBe(isAhead);
});

it('is determined again a tenth of a second later', () => {
  let [now, looks] = [0, 0];
  const recent = (): Map<string, number> => {
    looks += 1;
    return new Map(Object.entries({ a: looks > 1 ? 1 : 200, b: 100 }));
  };
  const ahead = new Ahead({ recent, lately: () => 300 }, () => now);
  expect(ahead.has('a')).toBe(true);
  now = 99;
  expect(ahead.has('a')).toBe(true);
  now = 100;
  expect(ahead.has('a')).toBe(false);
});
