import { OverloadDelay } from '../../../libs/loop-time/overload-delay.js';

/** A second of turns of the loop: how long each took, and how much of that was computed. */
function secondOf(...turns: [passedMs: number, computedMs: number][]): OverloadDelay {
  const delay = new OverloadDelay(200);
  for (const [passedMs, computedMs] of turns) delay.record(passedMs, computedMs);
  return delay;
}
const onTime = (count: number) => Array.from({ length: count }, (): [number, number] => [20, 15]);

it.each<[boolean, string, ...[number, number][]]>([
  [false, 'is on time', ...onTime(50)],
  [true, 'computes for longer than the limit', ...onTime(35), [240, 230]],
  [false, 'waits for a core now and then', ...onTime(25), [240, 10], [260, 15]],
  [true, 'waits for a core most of the time', ...onTime(10), [280, 20], [500, 20]],
  [
    false,
    'is late by less than the limit all the time',
    ...Array.from({ length: 6 }, (): [number, number] => [170, 160]),
  ],
])('is too late (%p) if the loop %s', (isTooLate, _, ...turns) => {
  const delay = secondOf(...turns);
  expect(delay.wasTooLate()).toBe(isTooLate);
  expect(delay.wasTooLate()).toBe(false);
});
