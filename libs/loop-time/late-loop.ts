const measureEveryMs = 10;
/** Small requests take several turns of the loop, so each of them is this much longer, several times. */
const lateMs = 10;
/** The cause would return immediately. */
const holdMs = 500;
/** Without questions for so long, nothing is measured: an idle process has no timer. */
const restMs = 1_000;

/** Whether the event loop is late, or was a moment ago: a timer that came too late says so. */
export class LateLoop {
  private timer?: NodeJS.Timeout;
  private dueAt = 0;
  private askedAt = 0;
  private lateUntil = -Infinity;

  constructor(private readonly now = (): number => performance.now()) {}

  get isLate(): boolean {
    this.askedAt = this.now();
    this.timer ??= this.start();
    return this.askedAt < this.lateUntil;
  }

  /** Called by the timer. */
  measure(): void {
    const now = this.now();
    if (now - this.dueAt >= lateMs) this.lateUntil = now + holdMs;
    this.dueAt = now + measureEveryMs;
    if (now - this.askedAt < restMs) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private start(): NodeJS.Timeout {
    this.dueAt = this.now() + measureEveryMs;
    return setInterval(() => this.measure(), measureEveryMs).unref();
  }
}

/** One per process, because a process has one loop. */
export const lateLoop = new LateLoop();
