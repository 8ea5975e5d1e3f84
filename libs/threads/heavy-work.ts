import { ServiceError } from '#errors';

/** Work that a thread does: a function that a module exports. Arguments and result are cloned on the way. */
export interface HeavyWork<A extends unknown[] = never, R = unknown> {
  /** What it is counted as. */
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

/** Names work of which the function's type is known: `heavyWork<typeof renderLetter>({ … })`. */
export const heavyWork = <F extends (...args: never) => unknown>(
  work: Omit<HeavyWork, 'types'>,
): HeavyWork<Parameters<F>, Awaited<ReturnType<F>>> => work;

/** The thread was ended, because the work exceeded its bound. It would again. */
export class WorkKilled extends Error {
  constructor(
    kind: string,
    readonly exceeded: 'time' | 'memory',
  ) {
    super(`Work of the kind ${kind} was ended: it took too much ${exceeded}`);
  }
}

const retryAfterSeconds = '2';

/** 503: the work was not begun, because too much waits already, it waited too long, or the process ends. */
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

/** Notified of each piece of work that ended, for whoever counts it. */
export type Tally = (kind: string, outcome: Outcome) => void;
