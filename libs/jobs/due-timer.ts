import { AsyncResource } from 'node:async_hooks';

interface Log {
  error(fields: object, message: string): void;
}

/** The rest between two runs, however often the timer is woken. */
const restMs = 10;

/**
 * Runs a task when it is woken, and repeatedly, never twice at the same time. The task looks for rows that are due by
 * `Date`; the timer itself makes no decisions about time. The context of the caller that wakes it, such as a request,
 * does not reach the run.
 */
export class DueTimer {
  private timer?: NodeJS.Timeout;
  private isStarted = false;
  private running?: Promise<void>;
  /** When the next run is to begin, and when the last one ended, by the process's own clock. */
  private next = Infinity;
  private endedAt = -Infinity;
  private readonly scope = new AsyncResource('DueTimer');

  /** @param everyMs milliseconds between two runs; infinite for one that only runs when it is woken. */
  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Log,
  ) {}

  start(): void {
    this.isStarted = true;
    this.wake(this.everyMs);
  }

  /** Something may be due, now or in so many milliseconds: runs then, or again after the current run. */
  wake(inMs = 0): void {
    const next = performance.now() + inMs;
    if (!this.isStarted || next >= this.next) return;
    this.next = next;
    if (!this.running) this.arm();
  }

  /** Waits for a run in progress. */
  async stop(): Promise<void> {
    this.isStarted = false;
    this.next = Infinity;
    clearTimeout(this.timer);
    await this.running;
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.next === Infinity) return;
    const inMs = Math.max(this.next, this.endedAt + restMs) - performance.now();
    // Node.js fires up to a millisecond early, when what is due then would not be found.
    const waitMs = inMs > 0 ? Math.ceil(inMs) + 1 : 0;
    this.timer = setTimeout(() => {
      this.running = this.scope.runInAsyncScope(() => this.run());
    }, waitMs);
    this.timer.unref();
  }

  private async run(): Promise<void> {
    this.next = Infinity;
    try {
      await this.work();
    } catch (error) {
      this.log.error({ err: error as Error }, `The timer for ${this.name} failed; it continues`);
    }
    this.endedAt = performance.now();
    this.running = undefined;
    this.wake(this.everyMs);
    this.arm();
  }
}
