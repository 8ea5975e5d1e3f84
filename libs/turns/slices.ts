import { setTimeout as wait } from 'node:timers/promises';

/** How long a slice may delay others, how many pieces it has at most, and the pause between two. */
const sliceMs = 100;
const most = 1_000;
const restMs = 10;

/** Long work in short transactions, so that others hardly wait for their locks. */
export class Slices {
  private isFirst = true;

  /**
   * @param fewest how many pieces a slice has at least, where each slice costs as much as some of them.
   * @param size how many the first one has: few, since nobody knows yet how long a piece takes, and right after the start
   *   of a process it takes several times as long.
   */
  constructor(
    private readonly fewest = 10,
    private size = fewest,
  ) {}

  /** Does a slice of so many pieces, after those who wait for what the last one held. */
  async next<T>(work: (size: number) => Promise<T>): Promise<T> {
    if (!this.isFirst) await wait(restMs);
    this.isFirst = false;
    const begun = performance.now();
    const done = await work(this.size);
    const share = sliceMs / (performance.now() - begun);
    this.size = Math.round(Math.min(Math.max(this.size * Math.min(share, 2), this.fewest), most));
    return done;
  }
}
