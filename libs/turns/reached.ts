import { setTimeout as wait } from 'node:timers/promises';

const lookEveryMs = 25;

/** Waits for work, but no longer than until `Date` has come to a time. */
export async function waitUntil(time: number, work: Promise<unknown>): Promise<void> {
  const over = new AbortController();
  await Promise.race([work, reached(time, over.signal)]).finally(() => over.abort());
}

/**
 * Looks until what it sees is enough, or `Date` has come to a time.
 *
 * @returns what it saw last.
 */
export async function lookUntil<T>(
  time: number,
  everyMs: number,
  look: () => Promise<T>,
  isEnough: (seen: T) => boolean,
): Promise<T> {
  for (;;) {
    const seen = await look();
    if (isEnough(seen) || Date.now() >= time) return seen;
    await wait(everyMs);
  }
}

/** Waits until `Date` has come to a time. False where the signal aborts first. */
export async function reached(time: number, signal: AbortSignal): Promise<boolean> {
  while (Date.now() < time) {
    if (signal.aborted) return false;
    await wait(Math.min(lookEveryMs, Math.max(time - Date.now(), 1)));
  }
  return true;
}
