import { DueTimer } from './due-timer.js';
import { LaneQueue } from './lane-queue.js';
import { openQueueStore, type QueueSettings, type QueueStore } from './queue-store.js';
import type { Lane, Log, DueJob, Tally, Work } from './work.js';

interface Taken {
  work: Work;
  timer: DueTimer;
}

/**
 * All kinds of work that this process knows. Once started, it looks for due rows, adds them to the queue, and performs
 * the jobs that the queue returns, whichever process added them. The queue opens when a row is due for the first time.
 */
export class Jobs {
  private readonly taken = new Map<string, Taken>();
  private readonly lanes = new Map<string, LaneQueue>();
  private store?: Promise<QueueStore>;

  constructor(
    private readonly settings: QueueSettings,
    private readonly log: Log,
    private readonly tally?: Tally,
  ) {}

  /** @returns a function that reports that rows may be due now, so that this process looks for them immediately. */
  take<P extends DueJob>(work: Work<P>): () => void {
    if (this.taken.has(work.name)) throw new Error(`Two kinds of work are named ${work.name}`);
    const timer = new DueTimer(work.name, work.everyMs, () => this.handOut(work), this.log);
    this.taken.set(work.name, { work, timer });
    return () => timer.wake();
  }

  start(): void {
    for (const { timer } of this.taken.values()) timer.start();
  }

  /** Stops looking for rows, and waits for jobs in progress as long as their lane allows. */
  async stop(): Promise<void> {
    await Promise.all([...this.taken.values()].map(({ timer }) => timer.stop()));
    const inTime = await Promise.all([...this.lanes.values()].map((lane) => lane.close()));
    const closed = (await this.store)?.close();
    if (inTime.every(Boolean)) await closed;
  }

  private async handOut(work: Work): Promise<void> {
    const due = await work.due(new Date().toISOString());
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
          if (result === 'performed') this.taken.get(name)?.timer.wake();
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

  /** A job of an older or newer release that this process does not know stays due for processes that do. */
  private async perform(name: string, job: DueJob, signal: AbortSignal): Promise<void> {
    await this.taken.get(name)?.work.perform(job, signal);
  }
}
