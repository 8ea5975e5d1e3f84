import { loopTime } from '#loop-time';
import { giveWay } from './give-way.js';

/** How long work may hold the event loop before others have their turn. */
const turnMs = 5;

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

/** For work that grows with its input: `if (share.isUsedUp) await share.next();` between any two pieces of it. */
export class LoopShare {
  private beganAt = performance.now();

  get isUsedUp(): boolean {
    return performance.now() - this.beganAt >= turnMs;
  }

  /** Lets other work have its turn. */
  async next(): Promise<void> {
    await ownTurn();
    this.beganAt = performance.now();
  }
}

/** What is made of each item, in as many turns of the event loop as it takes. */
export async function mapInTurns<T, R>(items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const share = new LoopShare();
  const made: R[] = [];
  for (const item of items) {
    if (share.isUsedUp) await share.next();
    made.push(make(item));
  }
  return made;
}
