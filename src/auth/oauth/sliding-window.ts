/** How often something may happen within any stretch of time, by key; kept in this process. */
export class SlidingWindow {
  private readonly taken = new Map<string, number[]>();
  private sweepAt = 0;

  constructor(
    private readonly limit: number,
    private readonly windowMs: number,
  ) {}

  /** Takes a place. @returns how long until one is free, in milliseconds; 0 when it was taken. */
  take(key: string): number {
    const now = Date.now();
    this.sweep(now);
    const recent = this.recent(key, now);
    if (recent.length >= this.limit) return (recent[0] as number) + this.windowMs - now;
    this.taken.set(key, [...recent, now]);
    return 0;
  }

  /** Gives back the place that was taken last. */
  giveBack(key: string): void {
    this.taken.get(key)?.pop();
  }

  private recent(key: string, now: number): number[] {
    return (this.taken.get(key) ?? []).filter((time) => time > now - this.windowMs);
  }

  private sweep(now: number): void {
    if (now < this.sweepAt) return;
    this.sweepAt = now + this.windowMs;
    for (const key of this.taken.keys()) if (this.recent(key, now).length === 0) this.taken.delete(key);
  }
}
