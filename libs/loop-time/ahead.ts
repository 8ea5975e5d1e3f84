import { type LoopTime, loopTime } from './loop-time.js';

/** How much others must have used recently for anybody to be in their way: two or three small requests. */
const othersMs = 10;
/**
 * A fifth of the loop, as `lately` counts it: who uses less is in nobody's way, however little others use. Otherwise
 * small requests would wait for those of an organization that keeps threads or the database busy and hardly uses the
 * loop, or that has only just started.
 */
const leastMs = 300;
const lookEveryMs = 100;

/** Who recently used at least an equal part of the event loop, and still uses much, while others have work for it too. */
export class Ahead {
  private owners: ReadonlySet<string> = new Set();
  private lookedAt = -Infinity;

  constructor(
    private readonly loop: Pick<LoopTime, 'recent' | 'lately'>,
    private readonly now = (): number => performance.now(),
  ) {}

  has(owner: string): boolean {
    const now = this.now();
    if (now - this.lookedAt >= lookEveryMs) {
      this.lookedAt = now;
      this.owners = aheadIn(this.loop);
    }
    return this.owners.has(owner);
  }
}

function aheadIn(loop: Pick<LoopTime, 'recent' | 'lately'>): Set<string> {
  const recent = loop.recent();
  const total = [...recent.values()].reduce((sum, ms) => sum + ms, 0);
  const isAhead = ([owner, ms]: [string, number]): boolean =>
    ms >= total / recent.size && total - ms >= othersMs && loop.lately(owner) >= leastMs;
  return new Set([...recent].filter(isAhead).map(([owner]) => owner));
}

export const ahead = new Ahead(loopTime);
