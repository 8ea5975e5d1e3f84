import type { SystemDatabase } from '#system-database';
import type { WakeUps } from '#wake-ups';
import { DueTimer } from './due-timer.js';
import { LaneQueue } from './lane-queue.js';
import { openQueueStore, type QueueSettings, type QueueStore } from './queue-store.js';
import type { Lane, Log, DueJob, Tally, Work } from './work.js';

/** How often a process looks whether anything is due, in case a wake-up was lost. */
const usualLookEveryMs = 5_000;

interface Taken {
  work: Work;
  timer: DueTimer;
  /** How many jobs of this kind are in progress here. */
  running: number;
  /** Whether the last look may have missed rows: it found several, or a job in progress held one of them. */
  mayHaveMore: boolean;
}

/**
 * All kinds of work that this process knows. Once started, it adds due rows to the queue and performs the jobs that the
 * queue returns, whichever process added them. It looks for rows of a kind when a commit wakes that kind, at the time
 * when the next one is due, and when jobs end that may have held up others. The queue opens when a row is due for the
 * first time.
 */
export class Jobs {
  private readonly taken = new Map<string, Taken>();
  private readonly lanes = new Map<string, LaneQueue>();
  private store?: Promise<QueueStore>;
  private readonly looks: DueTimer;

  constructor(
    private readonly settings: QueueSettings,
    private readonly database: Pick<SystemDatabase, 'rows'>,
    private readonly wakeUps: WakeUps,
    private readonly log: Log,
    private readonly tally?: Tally,
    private readonly lookEveryMs = usualLookEveryMs,
  ) {
    this.looks = new DueTimer('due work', lookEveryMs, () => this.lookAtAll(), this.log);
  }

  take<P extends DueJob>(work: Work<P>): void {
    if (this.taken.has(work.name)) throw new Error(`Two kinds of work are named ${work.name}`);
    const timer = new DueTimer(work.name, Infinity, () => this.handOut(taken), this.log);
    const taken: Taken = { work, timer, running: 0, mayHaveMore: false };
    this.taken.set(work.name, taken);
    this.wakeUps.listen(work.name, () => timer.wake());
  }

  /**
   * Rows of this kind of work may be due, after a commit: this process and all others look for them. Rows that are due
   * a few seconds later are looked for at that time, by this process.
   *
   * @param at when they are due.
   */
  wake(name: string, at?: string | null): void {
    const inMs = at ? Date.parse(at) - Date.now() : 0;
    if (inMs <= 0) this.wakeUps.wake(name);
    else if (inMs < this.lookEveryMs) this.taken.get(name)?.timer.wake(inMs);
  }

  start(): void {
    for (const { timer } of this.taken.values()) timer.start();
    this.looks.start();
    this.look();
  }

  /** Looks whether anything is due now. */
  look(): void {
    this.looks.wake();
  }

  /** Stops looking for rows, and waits for jobs in progress as long as their lane allows. */
  async stop(): Promise<void> {
    await Promise.all([this.looks, ...[...this.taken.values()].map(({ timer }) => timer)].map((timer) => timer.stop()));
    const inTime = await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
    const closed = (await this.store)?.close();
    if (inTime.every(Boolean)) await closed;
  }

  /** One statement for all kinds of work: most of the time nothing is due. */
  private async lookAtAll(): Promise<void> {
    const all = [...this.taken.values()];
    if (all.length === 0) return;
    const now = new Date();
    const columns = all.map(({ work }) => `${work.soonest} as "${work.name}"`);
    const [row] = await this.database.rows(`select $1::timestamptz as now, ${columns.join(', ')}`, [now.toISOString()]);
    for (const { work, timer } of all) {
      const soonest = row?.[work.name] as string | null;
      const inMs = soonest === null ? Infinity : Date.parse(soonest) - now.getTime();
      if (inMs > 0) this.tally?.due(work.name, 0);
      else this.lanes.get(work.lane.name)?.recover();
      if (inMs < this.lookEveryMs) timer.wake(Math.max(0, inMs));
    }
  }

  private async handOut(taken: Taken): Promise<void> {
    const { work } = taken;
    taken.mayHaveMore = taken.running > 0;
    const due = await work.due(new Date().toISOString());
    taken.mayHaveMore ||= due.length > 1;
    this.tally?.due(work.name, due.length);
    if (due.length > 0) await (await this.laneOf(work.lane)).add(work.name, due);
  }

  private async laneOf(lane: Lane): Promise<LaneQueue> {
    this.store ??= openQueueStore(this.settings, new Set([...this.taken.values()].map(({ work }) => work.lane)).size);
    const store = await this.store;
    const known = this.lanes.get(lane.name);
    if (known) return known;
    const opened = new LaneQueue(
      lane,
      store,
      (name, job, signal) => this.perform(name, job, signal),
      {
        ended: (name, result) => {
          this.tally?.ended(name, result);
          const taken = this.taken.get(name);
          if (taken) taken.running -= 1;
          if (result === 'performed') this.lookForMore(lane);
        },
        leftOver: (name) => {
          const taken = this.taken.get(name);
          if (taken) taken.mayHaveMore = true;
        },
        atBound: (organizations) => this.tally?.atBound(lane.name, organizations),
      },
      this.log,
    );
    this.lanes.set(lane.name, opened);
    opened.ready.catch(() => {
      this.lanes.delete(lane.name);
      return opened.close();
    });
    return opened;
  }

  /** A place of the lane is free, and a row that was held may be due again. */
  private lookForMore(lane: Lane): void {
    for (const { work, timer, mayHaveMore } of this.taken.values()) if (mayHaveMore && work.lane === lane) timer.wake();
  }

  /** A job of an older or newer release that this process does not know stays due for processes that do. */
  private async perform(name: string, job: DueJob, signal: AbortSignal): Promise<void> {
    const taken = this.taken.get(name);
    if (!taken) return;
    taken.running += 1;
    await taken.work.perform(job, signal);
  }
}
