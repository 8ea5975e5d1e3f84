import { ServiceError } from '#errors';

/**
 * Work that a thread does: a function that a module exports. Arguments and result are cloned on the way, but buffers among
 * the arguments and in the list `moved` of a result are moved.
 */
export interface HeavyWork<A extends unknown[] = never, R = unknown> {
  /** The name under which it is counted. */
  kind: string;
  /** The module's URL, from `import.meta.resolve`. Each thread loads it when it needs it for the first time. */
  module: string;
  /** The name of the exported function. */
  run: string;
  /** How long it may take before the thread is ended, in milliseconds. Waiting and loading do not count. */
  withinMs: number;
  /** Only there to infer types. */
  types?: (...args: A) => R;
}

/** Declares work with its function's type: `heavyWork<typeof renderLetter>({ … })`. */
export const heavyWork = <F extends (...args: never) => unknown>(
  work: Omit<HeavyWork, 'types'>,
): HeavyWork<Parameters<F>, Awaited<ReturnType<F>>> => work;

/** The thread was ended because the work exceeded its limit. A retry would exceed it again. */
export class WorkKilled extends Error {
  constructor(
    kind: string,
    readonly exceeded: 'time' | 'memory',
  ) {
    super(`Work of the kind ${kind} was ended: it took too much ${exceeded}`);
  }
}

const retryAfterSeconds = '2';

/** 503: the work did not start, because too much is waiting, it waited too long, or the process is exiting. */
export class ThreadsBusy extends ServiceError {
  constructor() {
    super({
      status: 503,
      message: 'Too much work of this kind is waiting. Send the request again.',
      headers: { 'Retry-After': retryAfterSeconds },
    });
  }
}

export type Outcome = 'performed' | 'failed' | 'refused' | 'killed_time' | 'killed_memory';

/** Called for each job that ended, for statistics. */
export type Tally = (kind: string, outcome: Outcome) => void;
