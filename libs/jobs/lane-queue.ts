import type { Job, Queue, Worker } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import { Places } from './places.js';
import type { QueueStore } from './queue-store.js';
import type { Lane, Log, Piece, Tally } from './work.js';

/** Seconds between looks at an idle queue, which tells by itself when something comes. */
const idleSeconds = 30;
/** A process that died has its jobs taken from it after about so long. */
const lockMs = 10_000;
/** How often it is looked for such jobs; one is taken at the second look. */
const stalledMs = 5_000;
/** How soon a store that was away is asked again. */
const retryMs = 1_000;
/** What rows say stays due, so the queue gives up nothing: a row that brings down its process is the row's affair. */
const mostStalls = 1_000_000;
/** How long a store that does not answer is waited for, before the look for what is due is given up, or a process ends. */
const answersWithinMs = 3_000;
/** Pieces of one organization that one look hands in; it has no more places than about so many. */
const mostOfEach = 16;
/** What BullMQ tells of each job; nobody reads it. */
const keptEvents = 100;

type Perform = (name: string, piece: Piece, signal: AbortSignal) => Promise<void>;

interface Told {
  /** Of each piece that this process performed, whatever process had handed it in. */
  ended: Tally['ended'];
  atBound: (organizations: number) => void;
}

/**
 * One lane in this process: hands in what is due, and performs what it is handed. The queue is one for all organizations
 * and first come, first served, so it must stay short: each look hands in few rows of each organization, and none of
 * one that has as many in progress as it may. What another process handed in for such an organization is dropped when
 * it comes: the row stays due, and is handed in again once a place is free.
 */
export class LaneQueue {
  private readonly queue: Queue;
  private readonly worker: Worker;
  /** Rejected, it is of no use any more: BullMQ keeps a first look at its store that failed. */
  readonly ready: Promise<void>;
  private readonly ending = new AbortController();
  private readonly underWay = new Set<Promise<void>>();
  private readonly places: Places;

  constructor(
    private readonly lane: Lane,
    { Queue, Worker, options }: QueueStore,
    private readonly perform: Perform,
    private readonly told: Told,
    log: Log,
  ) {
    this.places = new Places(lane.concurrency);
    this.queue = new Queue(lane.name, { ...options, streams: { events: { maxLen: keptEvents } } });
    this.worker = new Worker(lane.name, (job: Job) => this.take(job.name, job.data as Piece), {
      ...options,
      autorun: false,
      concurrency: lane.concurrency,
      drainDelay: idleSeconds,
      lockDuration: lockMs,
      stalledInterval: stalledMs,
      maxStalledCount: mostStalls,
      runRetryDelay: retryMs,
    });
    this.worker.on('completed', (job: Job, isPerformed: boolean) => isPerformed && told.ended(job.name, 'performed'));
    this.worker.on('failed', (job: Job | undefined, err) => {
      log.error({ err, work: job?.name, id: (job?.data as Piece | undefined)?.id }, 'A job failed; it is tried again');
      if (job) told.ended(job.name, 'failed');
    });
    const away = ({ message }: Error): void => {
      if (!this.ending.signal.aborted) log.warn({ lane: lane.name, error: message }, 'The job queue has a difficulty');
    };
    this.queue.on('error', away);
    this.worker.on('error', away);
    this.ready = this.begin(away);
  }

  /** Hands in what is not in the queue yet: a job is known by its row, and forgotten when it has ended. */
  async add(name: string, pieces: readonly Piece[]): Promise<void> {
    const forgotten = { removeOnComplete: true, removeOnFail: true };
    const late = pieces.filter((piece) => !this.hasPlace(piece));
    this.told.atBound(new Set(late.map(({ orgId }) => orgId)).size);
    for (const turn of turnsOf(pieces.filter((piece) => this.hasPlace(piece)))) {
      const jobs = turn.map((piece) => ({ name, data: piece, opts: { jobId: `${name}/${piece.id}`, ...forgotten } }));
      const added = this.ready.then(() => this.queue.addBulk(jobs));
      if (!(await inTime(added, answersWithinMs))) throw new Error('The job queue does not answer');
    }
  }

  /**
   * Takes no more, and waits for what is under way as long as the lane allows.
   *
   * @returns whether it ended in that time; if not, other processes take it up when they notice.
   */
  async close(): Promise<boolean> {
    this.ending.abort();
    // BullMQ closed while it opens would keep a connection.
    const settled = Promise.allSettled([this.ready]);
    const closed = settled.then(() => Promise.all([this.worker.close(), this.queue.close()]));
    await inTime(Promise.allSettled(this.underWay), this.lane.drainMs);
    return await inTime(closed, answersWithinMs);
  }

  private async begin(tell: (error: Error) => void): Promise<void> {
    const looks = await Promise.allSettled([this.queue.waitUntilReady(), this.worker.waitUntilReady()]);
    for (const look of looks) if (look.status === 'rejected') throw look.reason;
    this.worker.run().catch(tell);
  }

  /** @returns false where it is left for later. */
  private async take(name: string, piece: Piece): Promise<boolean> {
    if (!this.hasPlace(piece)) return false;
    this.places.take(piece.orgId);
    const performed = this.perform(name, piece, this.ending.signal);
    this.underWay.add(performed);
    await performed.finally(() => {
      this.places.leave(piece.orgId);
      this.underWay.delete(performed);
    });
    return true;
  }

  private hasPlace({ orgId }: Piece): boolean {
    return this.places.mayTake(orgId);
  }
}

/**
 * The first piece of each organization, then the second of each, and so on; all at once of what belongs to none. Each
 * turn is in one order everywhere: processes that hand in the same rows at once would wait for each other in a ring.
 */
function turnsOf(pieces: readonly Piece[]): Piece[][] {
  const turns: Piece[][] = [];
  const turnOf = new Map<string, number>();
  for (const piece of pieces) {
    const turn = piece.orgId === undefined ? 0 : (turnOf.get(piece.orgId) ?? 0);
    if (piece.orgId !== undefined) turnOf.set(piece.orgId, turn + 1);
    (turns[turn] ??= []).push(piece);
  }
  return turns.slice(0, mostOfEach).map((turn) => turn.toSorted((one, other) => (one.id < other.id ? -1 : 1)));
}

/** @returns whether it was done in that time. */
const inTime = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(ms, false, { ref: false })]);
