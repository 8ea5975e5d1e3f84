import { setTimeout as wait } from 'node:timers/promises';
import { ahead, lateLoop } from '#loop-time';
import { requestsInProgress } from './in-progress.js';

/** As long as two turns of the event loop of other long work. */
const givesWayMs = 10;

/**
 * Lets requests of others go first for a moment, if the event loop is late and this owner used most of it. For long
 * work, between any two pieces of it: it takes a little longer, and small requests do not wait for piece after piece.
 */
export async function giveWay(owner: string | undefined): Promise<void> {
  if (owner === undefined || !lateLoop.isLate || !ahead.has(owner) || !requestsInProgress.ofOthers(owner)) return;
  await wait(givesWayMs);
}
