/**
 * The stamps of accepted requests, as a ring: the oldest is the next to be overwritten. `slidingLog` does the same in
 * Redis.
 */
export class SlidingWindow {
  private limit = 0;
  private stamps: number[] = [];
  private next = 0;

  /**
   * Takes a place among `limit` in the last `windowMs` milliseconds.
   *
   * @returns how long until one is free, in milliseconds; 0 when it was taken.
   */
  take(now: number, limit: number, windowMs: number): number {
    if (limit !== this.limit) this.resize(limit);
    const oldest = this.stamps[this.next];
    if (oldest !== undefined && counts(oldest, now, windowMs)) return oldest + windowMs - now;
    this.stamps[this.next] = now;
    this.next = (this.next + 1) % limit;
    return 0;
  }

  taken(now: number, windowMs: number): number {
    return this.stamps.filter((stamp) => counts(stamp, now, windowMs)).length;
  }

  /** What was let through under another limit counts as well; of more than there are places, the newest do. */
  private resize(limit: number): void {
    this.stamps = [...this.stamps.slice(this.next), ...this.stamps.slice(0, this.next)].slice(-limit);
    this.next = this.stamps.length % limit;
    this.limit = limit;
  }
}

/** A stamp that is a whole window ahead is older than a change of the clock, and no longer counts. */
const counts = (stamp: number, now: number, windowMs: number): boolean => Math.abs(now - stamp) < windowMs;
