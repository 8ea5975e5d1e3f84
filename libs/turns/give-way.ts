import { setTimeout as wait } from 'node:timers/promises';
import { ahead, lateLoop } from '#loop-time';
import { arrivingRequests, requestsInProgress } from './in-progress.js';

/** As long as two turns of the event loop of other long work. */
const givesWayMs = 10;
/** The last pause of each owner. */
const pauses = new Map<string, Promise<void>>();

/**
 * Lets requests of others go first for a moment, if the event loop is late and this owner used most of it. For long
 * work, between any two pieces of it: it takes a little longer, and small requests do not wait for piece after piece.
 * Each piece has a pause of its own, however many works of the owner there are: they would all continue at the same time.
 */
export async function giveWay(owner: string | undefined): Promise<void> {
  if (owner === undefined || !isInTheWay(owner)) return;
  const pause = pauseAfter(pauses.get(owner), owner);
  pauses.set(owner, pause);
  await pause;
  if (pauses.get(owner) === pause) pauses.delete(owner);
}

async function pauseAfter(last: Promise<void> | undefined, owner: string): Promise<void> {
  await last;
  if (isInTheWay(owner)) await wait(givesWayMs);
}

const isInTheWay = (owner: string): boolean =>
  lateLoop.isLate && ahead.has(owner) && [requestsInProgress, arrivingRequests].some((some) => some.ofOthers(owner));
