import { loopTime } from '#loop-time';
import { giveWay } from './give-way.js';

/** How long work may hold the event loop before others have their turn. */
const turnMs = 2;

let last: Promise<void> = Promise.resolve();

/**
 * Continues in a turn of the event loop that no other work of this kind has, so that small work runs between two such
 * turns.
 */
export async function ownTurn(): Promise<void> {
  const { owner } = loopTime;
  await giveWay(owner);
  await (last = last.then(() => new Promise(setImmediate)));
  loopTime.enter(owner);
}

/** Since when the long work of each owner has had the present turn of the event loop. */
const begun = new Map<string | undefined, number>();

function begin(): void {
  if (begun.size === 0) setImmediate(() => begun.clear());
  begun.set(loopTime.owner, performance.now());
}

/**
 * For work that grows with its input: `if (loopShare.isUsedUp) await loopShare.next();` between any two pieces of it. All
 * that is done for one owner in a turn has one share of it: many kinds of work that are each short take long too.
 */
export const loopShare = {
  get isUsedUp(): boolean {
    const beganAt = begun.get(loopTime.owner);
    if (beganAt !== undefined) return performance.now() - beganAt >= turnMs;
    begin();
    return false;
  },

  /** Lets other work have its turn. */
  async next(): Promise<void> {
    await ownTurn();
    begin();
  },
};

/** Maps the items, in as many turns of the event loop as it takes. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const made: R[] = [];
  for (const item of items) {
    if (loopShare.isUsedUp) await loopShare.next();
    made.push(make(item));
  }
  return made;
}
