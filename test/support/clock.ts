import { jest } from '@jest/globals';

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
  },
  advance(milliseconds: number): void {
    clock.set(Date.now() + milliseconds);
  },
  restore(): void {
    jest.useRealTimers();
  },
};
