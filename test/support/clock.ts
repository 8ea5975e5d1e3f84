import { afterEach, beforeEach, jest } from '@jest/globals';

/** Called when time has moved: otherwise services look for due work every few seconds. */
export const clockFollowers = new Set<() => void>();

/** Moves the application's time, which is `Date`, and does not affect timers. */
export const clock = {
  set(time: string | number | Date): void {
    jest.useFakeTimers({
      now: new Date(time),
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
        'setTimeout',
        'clearTimeout',
      ],
    });
    for (const follow of clockFollowers) follow();
  },
  advance(milliseconds: number): void {
    clock.set(Date.now() + milliseconds);
  },
  restore(): void {
    jest.useRealTimers();
  },
};

/** Puts each test of a file into a second of its own, because a person has a limit per second that a fast machine reaches. */
export function aSecondForEachTest(): void {
  let tests = 0;
  beforeEach(() => clock.advance((tests += 1) * 1_000));
  afterEach(() => clock.restore());
}
