import { performance } from 'node:perf_hooks';

/** Time counts less the older it is: by half after this long. The shorter one shows how much somebody uses now. */
const halfLivesMs = { recent: 7_000, lately: 1_000 };
/** Users of less time than this are forgotten, in milliseconds. */
const forgottenMs = 1;
const mostOwners = 1_000;

/** A stream whose chunks count for the owner that it serves at the time. */
interface Served {
  connection?: { stream: { prependListener(event: 'data', listener: () => void): unknown } };
}

/** Milliseconds, as they counted at that time. */
interface Use {
  recent: number;
  lately: number;
  at: number;
}

/**
 * Attributes the time of the event loop: time in which it was not idle counts for the owner that was named last. Every
 * start of work names its owner: a request, a credential that was found, a body that has arrived, and each response of
 * the database. Long work follows one of these without a pause, so nothing else needs to be tracked. The cost is two
 * reads of a clock.
 */
export class LoopTime {
  private readonly uses = new Map<string, Use>();
  private readonly servedBy = new WeakMap<object, string | undefined>();
  private readonly followed = new WeakSet<object>();
  private current?: string;
  private activeMs = 0;

  /** @param clock milliseconds: all, and those of them in which the loop waited for something to do. */
  constructor(
    private readonly clock = (): { now: number; idle: number } => ({
      now: performance.now(),
      idle: performance.nodeTiming.idleTime,
    }),
  ) {}

  /** For whom the loop is working. */
  get owner(): string | undefined {
    return this.current;
  }

  /** From now on the loop works for this owner, such as an organization; for nobody in particular when left out. */
  enter(owner?: string): void {
    const { now, idle } = this.clock();
    const spentMs = now - idle - this.activeMs;
    this.activeMs = now - idle;
    if (this.current !== undefined && spentMs > 0) this.add(this.current, spentMs, now);
    this.current = owner;
  }

  /** Data that arrives on a connection from now on counts for this owner, or for nobody in particular. */
  serves(client: Served & object, owner?: string): void {
    this.servedBy.set(client, owner);
    if (this.followed.has(client)) return;
    this.followed.add(client);
    client.connection?.stream.prependListener('data', () => this.enter(this.servedBy.get(client)));
  }

  /** The recent milliseconds of each owner, weighted by age. */
  recent(): Map<string, number> {
    this.enter(this.current);
    const { now } = this.clock();
    const recent = new Map<string, number>();
    for (const [owner, use] of this.uses) {
      const ms = faded(use, 'recent', now);
      if (ms < forgottenMs) this.uses.delete(owner);
      else recent.set(owner, ms);
    }
    return recent;
  }

  /** The same for one owner, and the last second or two. */
  lately(owner: string): number {
    const use = this.uses.get(owner);
    return use ? faded(use, 'lately', this.clock().now) : 0;
  }

  private add(owner: string, ms: number, now: number): void {
    const use = this.uses.get(owner);
    if (use) {
      const [recent, lately] = [faded(use, 'recent', now) + ms, faded(use, 'lately', now) + ms];
      Object.assign(use, { recent, lately, at: now });
    } else {
      if (this.uses.size >= mostOwners) this.forgetLeast(now);
      this.uses.set(owner, { recent: ms, lately: ms, at: now });
    }
  }

  /** The half of them that used least. */
  private forgetLeast(now: number): void {
    const least = [...this.uses].toSorted(
      ([, one], [, other]) => faded(one, 'recent', now) - faded(other, 'recent', now),
    );
    for (const [owner] of least.slice(0, mostOwners / 2)) this.uses.delete(owner);
  }
}

const faded = (use: Use, which: keyof typeof halfLivesMs, now: number): number =>
  use[which] * 2 ** ((use.at - now) / halfLivesMs[which]);

/** One per process, because a process has one loop. */
export const loopTime = new LoopTime();
