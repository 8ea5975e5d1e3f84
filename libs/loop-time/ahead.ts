import type { LoopTime } from './loop-time.js';

/** A seventh of what somebody has who keeps the loop busy all the time, in milliseconds of late. */
const muchMs = 1_500;
/** What others must have had for anybody to be in their way: a few small requests. */
const othersMs = 50;
const lookEveryMs = 100;

/** Whose work takes much of the event loop, and no less than an equal part, while others have work for it too. */
export class Ahead {
  private owners: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;

  constructor(
    private readonly loop: Pick<LoopTime, 'recent'>,
    private readonly now = (): number => performance.now(),
  ) {}

  has(owner: string): boolean {
    const now = this.now();
    if (now - this.lookedAt >= lookEveryMs) {
      this.lookedAt = now;
      this.owners = aheadIn(this.loop.recent());
    }
    return this.owners.has(owner);
  }
}

function aheadIn(recent: ReadonlyMap<string, number>): Set<string> {
  const total = [...recent.values()].reduce((sum, ms) => sum + ms, 0);
  const least = Math.max(muchMs, total / recent.size);
  return new Set([...recent].filter(([, ms]) => ms >= least && total - ms >= othersMs).map(([owner]) => owner));
}
