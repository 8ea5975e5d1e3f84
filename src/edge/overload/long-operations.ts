import { type Ahead, loopTime } from '#loop-time';

/** What takes longer than this is long, and for how long that is remembered. */
const longMs = 50;
const rememberedMs = 10_000;
const mostRemembered = 1_000;
/** How long the next one waits for the end of the last. */
const waitsMs = 250;

/** The long operations of one organization. */
interface Lane {
  running: number;
  waiting: (() => void)[];
  timer?: NodeJS.Timeout;
}

/**
 * Operations that took long for an organization a moment ago, such as changes of hundreds of records: while it used much of
 * the event loop and uses the database, one begins when the last one has ended, or after a while. Four at a time
 * would not be done earlier, but PostgreSQL would have no core left for others.
 */
export class LongOperations {
  /** Until when an operation of an organization counts as long. */
  private readonly long = new Map<string, number>();
  private readonly lanes = new Map<string, Lane>();

  /** @param connections how many connections of the database an organization uses. */
  constructor(
    private readonly ahead: Pick<Ahead, 'has'>,
    private readonly connections: (owner: string) => number,
    private readonly now = (): number => performance.now(),
  ) {}

  async during<T>(owner: string, operation: string, perform: () => Promise<T>): Promise<T> {
    const key = `${owner} ${operation}`;
    const isLong = (this.long.get(key) ?? 0) > this.now();
    if (isLong) await this.begin(owner);
    const beganAt = this.now();
    try {
      return await perform();
    } finally {
      if (this.now() - beganAt >= longMs) this.remember(key);
      if (isLong) this.end(owner);
    }
  }

  private async begin(owner: string): Promise<void> {
    const lane = this.lanes.get(owner) ?? { running: 0, waiting: [] };
    this.lanes.set(owner, lane);
    if (lane.running === 0 || !this.ahead.has(owner) || this.connections(owner) === 0) {
      lane.running += 1;
      return;
    }
    await new Promise<void>((resolve) => {
      lane.waiting.push(resolve);
      lane.timer ??= setInterval(() => this.next(owner, lane), waitsMs).unref();
    });
    loopTime.enter(owner);
  }

  private end(owner: string): void {
    const lane = this.lanes.get(owner);
    if (!lane) return;
    lane.running -= 1;
    if (lane.running === 0) this.next(owner, lane);
  }

  private next(owner: string, lane: Lane): void {
    const next = lane.waiting.shift();
    if (next) lane.running += 1;
    next?.();
    if (lane.waiting.length > 0) return;
    clearInterval(lane.timer);
    lane.timer = undefined;
    if (lane.running === 0) this.lanes.delete(owner);
  }

  private remember(key: string): void {
    // Set again, it comes last.
    this.long.delete(key);
    this.long.set(key, this.now() + rememberedMs);
    const [oldest] = this.long.keys();
    if (oldest !== undefined && this.long.size > mostRemembered) this.long.delete(oldest);
  }
}
