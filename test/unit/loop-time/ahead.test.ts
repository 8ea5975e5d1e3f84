import { Ahead } from '../../../libs/loop-time/ahead.js';

const aheadOf = (recent: Record<string, number>): Ahead => new Ahead({ recent: () => new Map(Object.entries(recent)) });

it('is who takes much of the loop while others have work for it too', () => {
  const ahead = aheadOf({ attacker: 1_500, victim: 50 });
  expect([ahead.has('attacker'), ahead.has('victim'), ahead.has('nobody')]).toEqual([true, false, false]);
});

it('is nobody who has the loop alone', () => {
  expect(aheadOf({ only: 9_000, probe: 49 }).has('only')).toBe(false);
});

it('is nobody who takes little', () => {
  expect(aheadOf({ small: 1_499, other: 1_400 }).has('small')).toBe(false);
});

it('is nobody who takes less than an equal part', () => {
  expect(aheadOf({ victim: 2_000, attacker: 6_000 }).has('victim')).toBe(false);
});

it('is looked for again a tenth of a second later', () => {
  let [now, looks] = [0, 0];
  const recent = () => {
    looks += 1;
    return new Map<string, number>(Object.entries({ a: looks > 1 ? 1 : 2_000, b: 100 }));
  };
  const ahead = new Ahead({ recent }, () => now);
  expect(ahead.has('a')).toBe(true);
  now = 99;
  expect(ahead.has('a')).toBe(true);
  now = 100;
  expect(ahead.has('a')).toBe(false);
});
