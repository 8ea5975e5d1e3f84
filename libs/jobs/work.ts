/** A queue of its own: work in one lane never delays work in another. */
export interface Lane {
  name: string;
  /** How many jobs one process performs at the same time. */
  concurrency: number;
  /** How long an exiting process waits for jobs in progress, in milliseconds; then other processes take over. */
  drainMs: number;
}

/** For scheduled work that takes little time. */
export const schedules: Lane = { name: 'schedules', concurrency: 16, drainMs: 25_000 };

/** A job to perform now. It travels through the queue as JSON, so it names a row and contains no secret. */
export interface DueJob {
  /** The id of the row: for each kind of work, a row is in the queue at most once. */
  id: string;
  /** The owner, since organizations take turns. Absent for work without an organization. */
  orgId?: string;
}

/**
 * One kind of work. Rows say when they are due; the queue distributes only what is due now over all processes. Losing
 * the queue therefore loses nothing, and a row that it returns twice is processed once.
 */
export interface Work<P extends DueJob = DueJob> {
  name: string;
  lane: Lane;
  /**
   * When the first row is due, as an SQL expression for a timestamptz: null if none is. `$1` is now. Rows that a
   * process has claimed need not count. Every few seconds one statement reads this for all kinds of work.
   */
  soonest: string;

  /**
   * The due rows, of each organization in turn (`dueInTurns`). It claims no rows, and claimed rows are not due. A few
   * dozen are enough, because it looks again as soon as one is done.
   *
   * @param now ISO 8601, from `Date`; no other clock decides what is due.
   */
  due(now: string): Promise<P[]>;

  /**
   * Claims the row and processes it, or does nothing if another process has the row or it is no longer due. A job may
   * arrive twice, even at the same time, so the claim must fence all writes. A failed row stays due and is retried.
   *
   * @param signal aborts when the process exits: stop if you can.
   */
  perform(job: P, signal: AbortSignal): Promise<void>;
}

/** Receives the outcome of work, for statistics. */
export interface Tally {
  /** The number of rows that were due at the last look. */
  due(work: string, rows: number): void;
  ended(work: string, result: 'performed' | 'failed'): void;
  /** The number of organizations with more due rows than their share of this lane. */
  atBound(lane: string, organizations: number): void;
}

export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
