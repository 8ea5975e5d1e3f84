const resolutionMs = 20;
/** The part of the time that may pass in delays beyond the limit, whatever they are spent on. */
const mostOfTime = 0.5;
const perMs = 1_000;

/** In microseconds, of this thread. */
const cpuTime = (): number => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};

/**
 * Whether the event loop was too late recently. A delay in which its thread computed counts immediately, because
 * requests cause it. One in which it waited for a core may be due to other programs, and rejecting requests does not
 * end those, so it counts only where such delays take half of the time.
 */
export class OverloadDelay {
  private timer?: NodeJS.Timeout;
  private longestComputedMs = 0;
  private totalMs = 0;
  private beyondMs = 0;

  /** @param limitMs the longest delay that is not too long. */
  constructor(private readonly limitMs: number) {}

  start(): void {
    let [at, cpu] = [performance.now(), cpuTime()];
    this.timer = setInterval(() => {
      const [now, used] = [performance.now(), cpuTime()];
      this.record(now - at, (used - cpu) / perMs);
      [at, cpu] = [now, used];
    }, resolutionMs).unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Called by the timer: what passed since the last time, and what the thread computed of it. */
  record(passedMs: number, computedMs: number): void {
    const lateMs = passedMs - resolutionMs;
    this.totalMs += passedMs;
    if (lateMs > this.limitMs) this.beyondMs += passedMs;
    this.longestComputedMs = Math.max(this.longestComputedMs, Math.min(lateMs, computedMs));
  }

  /** Since the last call. */
  wasTooLate(): boolean {
    const isTooLate = this.longestComputedMs > this.limitMs || this.beyondMs > mostOfTime * this.totalMs;
    [this.longestComputedMs, this.totalMs, this.beyondMs] = [0, 0, 0];
    return isTooLate;
  }
}
