import { jest } from '@jest/globals';

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
