import { type LoopTime, loopTime } from './loop-time.js';

/** How much others must have used recently for anybody to be in their way: two or three small requests. */
const othersMs = 10;
const lookEveryMs = 100;

/** Who recently used at least an equal part of the event loop while others had work for it too. */
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
  const isAhead = (ms: number): boolean => ms >= total / recent.size && total - ms >= othersMs;
  return new Set([...recent].filter(([, ms]) => isAhead(ms)).map(([owner]) => owner));
}

export const ahead = new Ahead(loopTime);
