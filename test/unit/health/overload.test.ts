import { loopTime, OverloadDelay } from '#loop-time';
import { Overload } from '../../../src/platform/health/overload.js';
import type { Config } from '../../../src/platform/config/app.config.js';

let overload: Overload;
beforeEach(() => {
  jest.spyOn(loopTime, 'recent').mockReturnValue(
    new Map([
      ['org_most', 60],
      ['org_more', 30],
      ['org_less', 5],
      ['org_least', 5],
    ]),
  );
  overload = new Overload({ overloadDelayMs: 100 } as Config);
});
afterEach(() => {
  jest.restoreAllMocks();
});

/** Who is rejected after each second: nobody, the cause, or all. */
const rejected = (seconds: readonly boolean[]): string[] =>
  seconds.map((isLate) => {
    jest.spyOn(OverloadDelay.prototype, 'wasTooLate').mockReturnValueOnce(isLate);
    (overload as unknown as { look(): void }).look();
    if (overload.refusesAll) return 'all';
    return ['most', 'more', 'less'].filter((name) => overload.refuses(`org_${name}`)).join(' ');
  });
const late = (count: number): boolean[] => Array.from({ length: count }, () => true);
const better = (count: number): boolean[] => Array.from({ length: count }, () => false);

it('is looked for once a second', () => {
  jest.spyOn(OverloadDelay.prototype, 'start').mockImplementation(() => undefined);
  jest.spyOn(OverloadDelay.prototype, 'wasTooLate').mockReturnValue(true);
  const timers = jest.spyOn(globalThis, 'setInterval').mockImplementation(() => ({ unref: () => 'timer' }) as never);
  overload.onApplicationBootstrap();
  const [look, everyMs] = timers.mock.lastCall as [() => void, number];
  expect(everyMs).toBe(1_000);
  for (let second = 0; second < 2; second += 1) look();
  expect(overload.refuses('org_most')).toBe(true);
});

it('one late second, however often, is not an overload', () => {
  expect(rejected([true, false, true, false, true])).toEqual(['', '', '', '', '']);
});

it('from the second late second the causes are rejected, then more, and from the fifth all', () => {
  expect(rejected(late(6))).toEqual(['', 'most', 'most more', 'most more', 'all', 'all']);
});

it('all are accepted again after the first better second, and the causes five seconds later', () => {
  rejected(late(5));
  expect(rejected(better(7))).toEqual([...better(6).map(() => 'most'), '']);
});
