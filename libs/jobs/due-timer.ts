import { AsyncResource } from 'node:async_hooks';

interface Log {
  error(fields: object, message: string): void;
}

/** The rest between two runs, however often the timer is woken. */
const wokenRestMs = 20;

/**
 * Runs a task repeatedly, never twice at the same time. The task looks for rows that are due by `Date`; the timer
 * itself makes no decisions about time. The context of the caller that wakes it, such as a request, does not reach the
 * run.
 */
export class DueTimer {
  private timer?: NodeJS.Timeout;
  private isWoken = false;
  private isRunning = false;
  private running: Promise<void> = Promise.resolve();
  private readonly scope = new AsyncResource('DueTimer');

  /** @param everyMs milliseconds between two runs. */
  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Log,
  ) {}

  start(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(
      () =>
        this.scope.runInAsyncScope(() => {
          this.isWoken = false;
          this.running = this.run().finally(() => this.timer && this.start());
        }),
      this.isWoken ? wokenRestMs : this.everyMs,
    );
    this.timer.unref();
  }

  /** Something may be due: runs as soon as possible, or again after the current run. */
  wake(): void {
    if (this.isWoken || !this.timer) return;
    this.isWoken = true;
    if (!this.isRunning) this.start();
  }

  /** Waits for a run in progress. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    try {
      await this.work();
    } catch (error) {
      this.log.error({ err: error as Error }, `The timer for ${this.name} failed; it continues`);
    } finally {
      this.isRunning = false;
    }
  }
}
