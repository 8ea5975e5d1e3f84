import { attemptsAfter, doubling } from '#jobs';

it('repeated failures double the delay each time, up to the maximum', () => {
  const rest = doubling(5_000, 60_000);
  expect([1, 2, 3, 4, 5, 2_000].map(rest)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
});

it('attempts have the expected delays, and the last is followed by none', () => {
  const attempts = attemptsAfter([10, 20]);
  expect(attempts.most).toBe(3);
  expect([1, 2, 3].map((made) => attempts.restAfter(made))).toEqual([10, 20, undefined]);
});

it('delays vary by up to the jitter, and differ', () => {
  const attempts = attemptsAfter([1_000], 0.1);
  const rests = Array.from({ length: 200 }, () => attempts.restAfter(1) as number);
  expect(Math.min(...rests)).toBeGreaterThanOrEqual(900);
  expect(Math.max(...rests)).toBeLessThanOrEqual(1_100);
  expect(Math.min(...rests)).toBeLessThan(1_000);
  expect(Math.max(...rests)).toBeGreaterThan(1_000);
});
