/** How often something may happen within any stretch of time, by key; counted in one process or in a shared store. */
export abstract class SlidingWindowStore {
  /**
   * Takes a place among `limit` in the last `windowMs` milliseconds.
   *
   * @returns how long until one is free, in milliseconds; 0 when it was taken.
   */
  abstract take(key: string, limit: number, windowMs: number): number | Promise<number>;
}

/** One process: the stamps of what was let through. */
export class MemorySlidingWindowStore extends SlidingWindowStore {
  private readonly taken = new Map<string, { stamps: number[]; windowMs: number }>();
  private sweepAt = 0;

  take(key: string, limit: number, windowMs: number): number {
    const now = Date.now();
    this.sweep(now, windowMs);
    const recent = this.recent(key, now, windowMs);
    if (recent.length >= limit) return (recent[recent.length - limit] as number) + windowMs - now;
    this.taken.set(key, { stamps: [...recent, now], windowMs });
    return 0;
  }

  private recent(key: string, now: number, windowMs: number): number[] {
    return (this.taken.get(key)?.stamps ?? []).filter((time) => time > now - windowMs);
  }

  private sweep(now: number, everyMs: number): void {
    if (now < this.sweepAt) return;
    this.sweepAt = now + everyMs;
    for (const [key, { windowMs }] of this.taken) {
      if (this.recent(key, now, windowMs).length === 0) this.taken.delete(key);
    }
  }
}
