/** Where work waits its turn: what is in one lane delays nothing in another. */
export interface Lane {
  name: string;
  /** Pieces that one process performs at once. */
  concurrency: number;
  /** How long a process that ends waits for pieces under way, in milliseconds; then others take them up again. */
  drainMs: number;
}

/** For what comes by the clock and is soon done. */
export const schedules: Lane = { name: 'schedules', concurrency: 16, drainMs: 25_000 };

/** Something to be done now. It travels through the queue as JSON, so it names a row and holds no secret. */
export interface Piece {
  /** Of the row: of one kind of work, a row is in the queue once at most. */
  id: string;
  /** Whose it is: organizations take turns. What is left out belongs to none. */
  orgId?: string;
}

/**
 * One kind of work. Rows say what is to be done and when; the queue only hands out what is due now, over all processes
 * that work. So losing the queue loses nothing, and what it hands out twice is done once.
 */
export interface Work<P extends Piece = Piece> {
  name: string;
  lane: Lane;
  /** Milliseconds between two looks for what is due. */
  everyMs: number;

  /**
   * The rows that are due, of each organization in turn (`dueInTurns`); it claims none, and a row that is claimed is not
   * due. Some tens are enough: it looks again as soon as one is done.
   *
   * @param now ISO 8601, by `Date`; what is due is decided by no other clock.
   */
  due(now: string): Promise<P[]>;

  /**
   * Claims the row and does what it says, or nothing where the row is another's or not due any more: a piece may come
   * twice, at once too, so what it writes must be fenced by the claim. What fails stays due, and comes again.
   *
   * @param signal aborts when the process ends: what can stop halfway should.
   */
  perform(piece: P, signal: AbortSignal): Promise<void>;
}

/** Told what becomes of work, for whoever counts it. */
export interface Tally {
  /** So many rows were due at the last look. */
  due(work: string, rows: number): void;
  ended(work: string, result: 'performed' | 'failed'): void;
  /** So many organizations had as much in progress in this lane as they may, and more that was due. */
  atBound(lane: string, organizations: number): void;
}

export interface Log {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
