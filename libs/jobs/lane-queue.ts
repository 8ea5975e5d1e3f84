import type { Job, JobsOptions, Queue, Worker } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { Places } from './places.js';
import type { QueueStore } from './queue-store.js';
import type { Lane, Log, DueJob, Tally } from './work.js';

/** Seconds between looks at an idle queue, which announces new jobs itself; four statements for each lane. */
const idleSeconds = 180;
/** After about this long, other processes take over the jobs of a process that died. */
const lockMs = 10_000;
/** Between the two looks for such jobs: the first marks them, and the second takes over those that are still marked. */
const stalledMs = 1_000;
/** How soon an unavailable store is tried again. */
const retryMs = 1_000;
/**
 * The queue never gives up a job, because its row stays due; a row that crashes its process is handled where the row
 * is.
 */
const mostStalls = 1_000_000;
/** How long to wait for an unresponsive store before a look for due rows is abandoned or a process exits. */
const answersWithinMs = 3_000;
/** The most jobs of one organization that one look adds; about as many as it may have in progress. */
const mostOfEach = 16;
/** BullMQ's events about each job, which nobody reads. */
const keptEvents = 100;

type Perform = (name: string, one: DueJob, signal: AbortSignal) => Promise<void>;

interface LaneListener {
  /** Called for each job that this process performed, whichever process added it. */
  ended: Tally['ended'];
  /** Called for a row of this kind of work that must wait for a place. */
  leftOver: (name: string) => void;
  atBound: (organizations: number) => void;
}

/**
 * One lane in this process: adds due rows to the queue, and performs the jobs it receives. The queue serves all
 * organizations, first come, first served, so it must stay short: each look adds few rows of each organization, and
 * none for an organization that already has its share in progress. A job that another process added for such an
 * organization is dropped when it arrives: the row stays due, and is added again once a place is free.
 */
export class LaneQueue {
  private readonly queue: Queue;
  private readonly worker: Worker;
  /** A rejected lane cannot be used again: BullMQ remembers that its first look at the store failed. */
  readonly ready: Promise<void>;
  private readonly ending = new AbortController();
  private readonly inFlight = new Set<Promise<void>>();
  private readonly places: Places;
  private recovering?: Promise<void>;

  constructor(
    private readonly lane: Lane,
    { Queue, Worker, options }: QueueStore,
    private readonly perform: Perform,
    private readonly listener: LaneListener,
    log: Log,
  ) {
    this.places = new Places(lane.concurrency);
    this.queue = new Queue(lane.name, { ...options, streams: { events: { maxLen: keptEvents } } });
    this.worker = new Worker(lane.name, (job: Job) => this.take(job.name, job.data as DueJob), {
      ...options,
      autorun: false,
      concurrency: lane.concurrency,
      drainDelay: idleSeconds,
      lockDuration: lockMs,
      // `recover` looks for stalled jobs, so that an idle lane asks nothing.
      skipStalledCheck: true,
      stalledInterval: stalledMs / 2,
      maxStalledCount: mostStalls,
      runRetryDelay: retryMs,
    });
    this.worker.on('completed', (job: Job, isPerformed: boolean) =>
      isPerformed ? listener.ended(job.name, 'performed') : listener.leftOver(job.name),
    );
    this.worker.on('failed', (job: Job | undefined, err) => {
      log.error({ err, work: job?.name, id: (job?.data as DueJob | undefined)?.id }, 'A job failed; it is retried');
      if (job) listener.ended(job.name, 'failed');
    });
    const away = ({ message }: Error): void => {
      if (!this.ending.signal.aborted) log.warn({ lane: lane.name, error: message }, 'Job queue error');
    };
    this.queue.on('error', away);
    this.worker.on('error', away);
    this.ready = this.begin(away);
  }

  /** Adds jobs that are not in the queue yet. The row identifies the job, which is removed when it ends. */
  async add(name: string, due: readonly DueJob[]): Promise<void> {
    const forgotten = { removeOnComplete: true, removeOnFail: true };
    const late = due.filter((one) => !this.hasPlace(one));
    this.listener.atBound(new Set(late.map(({ orgId }) => orgId)).size);
    if (late.length > 0) this.listener.leftOver(name);
    for (const turn of turnsOf(due.filter((one) => this.hasPlace(one)))) {
      const jobs = turn.map((job) => ({ name, data: job, opts: { jobId: `${name}/${job.id}`, ...forgotten } }));
      const added = this.ready.then(() => this.addAll(jobs));
      if (!(await inTime(added, answersWithinMs))) throw new Error('The job queue does not respond');
    }
  }

  /** In PostgreSQL a bulk creates temporary tables, which is a lot for one job. */
  private async addAll(jobs: { name: string; data: DueJob; opts: JobsOptions }[]): Promise<void> {
    const [first] = jobs;
    if (first && jobs.length === 1) await this.queue.add(first.name, first.data, first.opts);
    else await this.queue.addBulk(jobs);
  }

  /**
   * Makes the queue return the jobs of processes that died again. Call it when rows stay due: their jobs may belong to
   * such a process.
   */
  recover(): void {
    const look = () => this.worker.backend.moveStalledJobsToWait();
    this.recovering ??= this.ready
      .then(look)
      .then(() => wait(stalledMs, undefined, { ref: false, signal: this.ending.signal }))
      .then(look)
      .then(() => undefined)
      .catch(() => undefined)
      .finally(() => (this.recovering = undefined));
  }

  /**
   * Accepts no more jobs, and waits for those in progress as long as the lane allows.
   *
   * @returns whether all ended in time; if not, other processes take over when they notice.
   */
  async close(): Promise<boolean> {
    this.ending.abort();
    // BullMQ leaks a connection if it is closed while it opens.
    const settled = Promise.allSettled([this.ready]);
    const closed = settled.then(() => Promise.all([this.worker.close(), this.queue.close()]));
    await inTime(Promise.allSettled(this.inFlight), this.lane.drainMs);
    return await inTime(closed, answersWithinMs);
  }

  private async begin(onError: (error: Error) => void): Promise<void> {
    const looks = await Promise.allSettled([this.queue.waitUntilReady(), this.worker.waitUntilReady()]);
    for (const look of looks) if (look.status === 'rejected') throw look.reason;
    this.worker.run().catch(onError);
  }

  /** @returns false if it is left for later. */
  private async take(name: string, job: DueJob): Promise<boolean> {
    if (!this.hasPlace(job)) return false;
    this.places.take(job.orgId);
    const performed = this.perform(name, job, this.ending.signal);
    this.inFlight.add(performed);
    await performed.finally(() => {
      this.places.leave(job.orgId);
      this.inFlight.delete(performed);
    });
    return true;
  }

  private hasPlace({ orgId }: DueJob): boolean {
    return this.places.mayTake(orgId);
  }
}

/**
 * The first job of each organization, then the second of each, and so on; all of those without an organization. Each
 * turn has the same order everywhere, because processes that add the same rows in different orders would deadlock.
 */
function turnsOf(due: readonly DueJob[]): DueJob[][] {
  const turns: DueJob[][] = [];
  const turnOf = new Map<string, number>();
  for (const job of due) {
    const turn = job.orgId === undefined ? 0 : (turnOf.get(job.orgId) ?? 0);
    if (job.orgId !== undefined) turnOf.set(job.orgId, turn + 1);
    (turns[turn] ??= []).push(job);
  }
  return turns.slice(0, mostOfEach).map((turn) => turn.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
}

/** @returns whether it was done in time. */
const inTime = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(ms, false, { ref: false })]);
