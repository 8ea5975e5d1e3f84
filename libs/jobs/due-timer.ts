import { AsyncResource } from 'node:async_hooks';

interface Log {
  error(fields: object, message: string): void;
}

/** However often it is woken, it rests for so long between two runs. */
const wokenRestMs = 20;

/**
 * Runs something again and again, never twice at once. What it runs looks for rows that are due by `Date`; the timer
 * itself decides nothing about time. Nothing of whoever wakes it, a request say, is about when it runs.
 */
export class DueTimer {
  private timer?: NodeJS.Timeout;
  private isWoken = false;
  private isRunning = false;
  private running: Promise<void> = Promise.resolve();
  private readonly ground = new AsyncResource('DueTimer');

  /** @param everyMs milliseconds of rest between two runs. */
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
        this.ground.runInAsyncScope(() => {
          this.isWoken = false;
          this.running = this.run().finally(() => this.timer && this.start());
        }),
      this.isWoken ? wokenRestMs : this.everyMs,
    );
    this.timer.unref();
  }

  /** Something may be due: runs almost at once, or almost at once again where it is running. */
  wake(): void {
    if (this.isWoken || !this.timer) return;
    this.isWoken = true;
    if (!this.isRunning) this.start();
  }

  /** Waits for a run that is under way. */
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
      this.log.error({ err: error as Error }, `The timer for ${this.name} failed; it goes on`);
    } finally {
      this.isRunning = false;
    }
  }
}
