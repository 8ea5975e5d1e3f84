import { attemptsAfter, doubling } from '#jobs';

it('what fails again rests for twice as long each time, up to the longest', () => {
  const rest = doubling(5_000, 60_000);
  expect([1, 2, 3, 4, 5, 2_000].map(rest)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

it('attempts wait as they should, and the last is followed by none', () => {
  const attempts = attemptsAfter([10, 20]);
  expect(attempts.most).toBe(3);
  expect([1, 2, 3].map((made) => attempts.restAfter(made))).toEqual([10, 20, undefined]);
});

it('rests are shorter or longer by up to the jitter, and differ', () => {
  const attempts = attemptsAfter([1_000], 0.1);
  const rests = Array.from({ length: 200 }, () => attempts.restAfter(1) as number);
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(900);
  expect(Math.max(...rests)).toBeLessThanOrEqual(1_100);
  expect(Math.min(...rests)).toBeLessThan(1_000);
  expect(Math.max(...rests)).toBeGreaterThan(1_000);
});
