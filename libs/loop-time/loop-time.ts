import { performance } from 'node:perf_hooks';

/** Time counts less the longer ago it was: after so long by half. */
const halfLifeMs = 7_000;
/** Whoever used less than this is forgotten, in milliseconds. */
const forgottenMs = 1;
const mostOwners = 1_000;

/** A stream whose chunks belong to whomever it serves just then. */
interface Served {
  connection?: { stream: { prependListener(event: 'data', listener: () => void): unknown } };
}

interface Use {
  ms: number;
  at: number;
}

/**
 * Whose work the event loop does: time in which it was not idle counts for whoever was named last. Whoever begins on
 * something names it: a request that comes in, a credential that was found, a body that has arrived, and each answer of
 * the database for the one who asked. What takes long follows one of these without a pause, so that is found though
 * nothing else is followed: two reads of a clock are what it costs.
 */
export class LoopTime {
  private readonly uses = new Map<string, Use>();
  private readonly servedBy = new WeakMap<object, string | undefined>();
  private readonly followed = new WeakSet<object>();
  private owner?: string;
  private activeMs = 0;

  /** @param clock milliseconds: all, and those of them in which the loop waited for something to do. */
  constructor(
    private readonly clock = (): { now: number; idle: number } => ({
      now: performance.now(),
      idle: performance.nodeTiming.idleTime,
    }),
  ) {}

  /** From now on the loop works for this one, such as an organization; for nobody in particular where it is left out. */
  enter(owner?: string): void {
    const { now, idle } = this.clock();
    const spentMs = now - idle - this.activeMs;
    this.activeMs = now - idle;
    if (this.owner !== undefined && spentMs > 0) this.add(this.owner, spentMs, now);
    this.owner = owner;
  }

  /** What a connection brings from now on is for this one, or for nobody in particular. */
  serves(client: Served & object, owner?: string): void {
    this.servedBy.set(client, owner);
    if (this.followed.has(client)) return;
    this.followed.add(client);
    client.connection?.stream.prependListener('data', () => this.enter(this.servedBy.get(client)));
  }

  /** The milliseconds that each had of late, what is older counting less. */
  recent(): Map<string, number> {
    this.enter(this.owner);
    const { now } = this.clock();
    const recent = new Map<string, number>();
    for (const [owner, use] of this.uses) {
      const ms = faded(use, now);
      if (ms < forgottenMs) this.uses.delete(owner);
      else recent.set(owner, ms);
    }
    return recent;
  }

  private add(owner: string, ms: number, now: number): void {
    const use = this.uses.get(owner);
    if (use) Object.assign(use, { ms: faded(use, now) + ms, at: now });
    else {
      if (this.uses.size >= mostOwners) this.forgetLeast(now);
      this.uses.set(owner, { ms, at: now });
    }
  }

  /** The half of them that used least. */
  private forgetLeast(now: number): void {
    const least = [...this.uses].toSorted(([, one], [, other]) => faded(one, now) - faded(other, now));
    for (const [owner] of least.slice(0, mostOwners / 2)) this.uses.delete(owner);
  }
}

const faded = ({ ms, at }: Use, now: number): number => ms * 2 ** ((at - now) / halfLifeMs);

/** Of this process, which has one loop. */
export const loopTime = new LoopTime();
