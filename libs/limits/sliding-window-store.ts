import { SlidingWindow } from './sliding-window.js';

/**
 * How often something may happen within any period, by key; counted in one process or in a shared store. The
 * throttler's storage does not fit, because its windows start with the first request.
 */
export abstract class SlidingWindowStore {
  /**
   * Takes a place among `limit` in the last `windowMs` milliseconds.
   *
   * @returns how long until one is free, in milliseconds; 0 when it was taken.
   */
  abstract take(key: string, limit: number, windowMs: number): number | Promise<number>;

  /** How many places were taken in the last `windowMs` milliseconds. */
  abstract taken(key: string, windowMs: number): number | Promise<number>;
}

/** One process. */
export class MemorySlidingWindowStore extends SlidingWindowStore {
  private readonly windows = new Map<string, { window: SlidingWindow; windowMs: number }>();
  private sweepAt = 0;

  take(key: string, limit: number, windowMs: number): number {
    const now = Date.now();
    this.sweep(now, windowMs);
    let kept = this.windows.get(key);
    if (!kept) this.windows.set(key, (kept = { window: new SlidingWindow(), windowMs }));
    return kept.window.take(now, limit, windowMs);
  }

  taken(key: string, windowMs: number): number {
    return this.windows.get(key)?.window.taken(Date.now(), windowMs) ?? 0;
  }

  private sweep(now: number, everyMs: number): void {
    if (now < this.sweepAt) return;
    this.sweepAt = now + everyMs;
    for (const [key, { window, windowMs }] of this.windows)
      if (window.taken(now, windowMs) === 0) this.windows.delete(key);
  }
}
