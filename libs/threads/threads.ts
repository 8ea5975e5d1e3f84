import { FairQueue, type Turn } from '#fair-queue';
import { loopTime } from '#loop-time';
import { type HeavyWork, type Tally, ThreadsBusy, WorkKilled } from './heavy-work.js';
import { Thread } from './thread.js';

export interface ThreadsSettings {
  /** The most threads at a time; they start when there is work, and end after a minute without any. */
  threads: number;
  /** The memory that a thread may take before it is ended. */
  megabytes: number;
  /** How many jobs of all owners may wait, and how many of one. */
  mostWaiting: number;
  mostWaitingOfOwner: number;
  /** How long a job may wait, in milliseconds. */
  waitMs: number;
}

interface Waiting {
  work: HeavyWork;
  args: unknown[];
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
  timer?: NodeJS.Timeout;
}

const idleMs = 60_000;
/** A thread ends after this many jobs, which frees any memory that they have leaked. */
const runsPerThread = 1_000;

/**
 * Does heavy work in threads, so that it never blocks the event loop. Owners take turns, and one owner has at most half
 * of the threads. A job that exceeds its limits is ended together with its thread.
 */
export class Threads {
  private readonly queue: FairQueue<Waiting>;
  private readonly idle: Thread[] = [];
  private readonly busy = new Set<Thread>();
  /** Idle threads are kept for a while, because loading their modules takes longer than most jobs do. */
  private readonly endings = new Map<Thread, NodeJS.Timeout>();
  /** All that pieces of work have needed. */
  private readonly modules = new Set<string>();
  private isClosed = false;

  constructor(
    private readonly settings: ThreadsSettings,
    private readonly tally: Tally = () => undefined,
  ) {
    this.queue = new FairQueue(Math.max(1, Math.floor(settings.threads / 2)));
  }

  /** How many pieces wait for a thread. */
  get waiting(): number {
    return this.queue.waiting;
  }

  /**
   * Runs a job for an owner, such as an organization.
   *
   * @throws WorkKilled if it exceeds its limits; ThreadsBusy if it did not start; any error of the work.
   */
  async run<A extends unknown[], R>(work: HeavyWork<A, R>, owner: string, ...args: A): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const waiting: Waiting = { work, args, resolve, reject };
    if (this.isClosed || !this.hasRoomFor(owner)) this.refuse(waiting);
    else {
      const giveUp = (): void => void (this.queue.remove(owner, waiting) && this.refuse(waiting));
      waiting.timer = setTimeout(giveUp, this.settings.waitMs).unref();
      this.queue.add(owner, waiting);
      this.next();
    }
    return (await promise) as R;
  }

  /** Ends all threads, and rejects the waiting jobs. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (let last = this.queue.lastOfMost(); last; last = this.queue.lastOfMost()) this.displace(last);
    for (const timer of this.endings.values()) clearTimeout(timer);
    await Promise.all([...this.idle, ...this.busy].map((thread) => thread.end()));
  }

  /** When too many jobs wait, the owner with the most gives way to those with fewer. */
  private hasRoomFor(owner: string): boolean {
    const { mostWaiting, mostWaitingOfOwner } = this.settings;
    const waiting = this.queue.waitingOf(owner);
    if (waiting >= mostWaitingOfOwner) return false;
    if (this.queue.waiting < mostWaiting) return true;
    const last = this.queue.lastOfMost();
    if (!last || this.queue.waitingOf(last.owner) <= waiting + 1) return false;
    this.displace(last);
    return true;
  }

  private displace({ owner, item }: Turn<Waiting>): void {
    this.queue.remove(owner, item);
    this.refuse(item);
  }

  private refuse({ work: { kind }, timer, reject }: Waiting): void {
    clearTimeout(timer);
    this.tally(kind, 'refused');
    reject(new ThreadsBusy());
  }

  private next(): void {
    while (!this.isClosed && this.busy.size < this.settings.threads) {
      const turn = this.queue.take();
      if (!turn) return;
      clearTimeout(turn.item.timer);
      void this.perform(turn);
    }
  }

  private async perform({ owner, item: { work, args, resolve, reject } }: Turn<Waiting>): Promise<void> {
    const { kind, module, run } = work;
    let thread: Thread | undefined;
    try {
      thread = this.take();
      this.prepareFor(module);
      const result = await thread.perform({ module, run, args }, work);
      this.tally(kind, 'performed');
      resolve(result);
    } catch (error) {
      this.tally(kind, error instanceof WorkKilled ? `killed_${error.exceeded}` : 'failed');
      reject(error);
    } finally {
      loopTime.enter(owner);
      if (thread) this.putBack(thread);
      this.queue.done(owner);
      this.next();
    }
  }

  /** The thread that became idle last, which most likely has the needed modules loaded; or a new one. */
  private take(): Thread {
    const thread = this.idle.pop() ?? new Thread(this.settings.megabytes);
    clearTimeout(this.endings.get(thread));
    this.endings.delete(thread);
    this.busy.add(thread);
    return thread;
  }

  /** While there is work, a spare thread has loaded what work needs: the next owner would have to wait for that. */
  private prepareFor(module: string): void {
    const isNew = !this.modules.has(module);
    this.modules.add(module);
    if (isNew) for (const thread of this.idle) thread.prepare(module);
    if (this.idle.length > 0 || this.busy.size >= this.settings.threads) return;
    const spare = new Thread(this.settings.megabytes);
    for (const known of this.modules) spare.prepare(known);
    this.rest(spare);
  }

  private putBack(thread: Thread): void {
    this.busy.delete(thread);
    if (!thread.isUsable) return;
    if (this.isClosed || thread.runs >= runsPerThread) return void thread.end();
    this.rest(thread);
  }

  private rest(thread: Thread): void {
    this.idle.push(thread);
    this.endings.set(thread, setTimeout(() => this.retire(thread), idleMs).unref());
  }

  private retire(thread: Thread): void {
    this.endings.delete(thread);
    this.idle.splice(this.idle.indexOf(thread), 1);
    void thread.end();
  }
}

/** Separate threads for work that nobody waits for, which may take longer. */
export class BackgroundThreads extends Threads {}

/** Separate threads for large bodies: a request that has not been read holds no connection, and may wait longer. */
export class BodyThreads extends Threads {}
