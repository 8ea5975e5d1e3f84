interface Log {
  error(fields: object, message: string): void;
}

/**
 * Runs something again and again, never twice at once. What it runs looks for rows that are due by `Date`; the timer
 * itself decides nothing about time.
 */
export class DueTimer {
  private timer?: NodeJS.Timeout;
  private running: Promise<void> = Promise.resolve();

  /** @param everyMs milliseconds of rest between two runs. */
  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly work: () => Promise<void>,
    private readonly log: Log,
  ) {}

  start(): void {
    this.timer = setTimeout(() => {
      this.running = this.run().finally(() => this.timer && this.start());
    }, this.everyMs);
    this.timer.unref();
  }

  /** Waits for a run that is under way. */
  async stop(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.work();
    } catch (error) {
      this.log.error({ err: error as Error }, `The timer for ${this.name} failed; it goes on`);
    }
  }
}
