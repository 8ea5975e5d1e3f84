import { setTimeout as wait } from 'node:timers/promises';

/** Longer than the transaction of a write takes. */
const mostBehindMs = 5_000;
/** How long a list waits for the transactions that were there before it. */
const patienceMs = 250;
const restMs = 10;
/** Stamps further ahead come from a clock that was set back since. */
const aheadMs = 60_000;

/** The stamps of changes that a list by time of change shows: until the first, and from the second on. */
export interface Settled {
  until: string;
  from: string;
}

/**
 * Until when every change is committed, so that a list by time of change misses none: a change has its time before its
 * transaction commits. Waits a moment for those in progress, which shows what was changed before the list was asked for;
 * what those that take longer could still precede is held back.
 *
 * @param oldest when the oldest transaction in progress began, on the clock of `performance`.
 */
export async function settledChanges(oldest: () => Promise<number>): Promise<Settled> {
  const [now, asked] = [Date.now(), performance.now()];
  let began = await oldest();
  while (began < asked && performance.now() - asked < patienceMs) {
    await wait(restMs);
    began = await oldest();
  }
  const behindMs = began < asked ? Math.min(Math.ceil(asked - began) + 1, mostBehindMs) : 0;
  return { until: new Date(now - behindMs).toISOString(), from: new Date(now + aheadMs).toISOString() };
}
