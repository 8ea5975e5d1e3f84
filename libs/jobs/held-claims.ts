import type { DueTimer } from './due-timer.js';

interface Held<C> {
  claim: C;
  over: AbortController;
  isRenewed: boolean;
  done: Promise<void>;
}

/** The claims on which this process works: renewed while the work continues, and aborted once they are lost. */
export class HeldClaims<C> {
  private readonly held = new Set<Held<C>>();
  private isEnding = false;

  /**
   * @param prolong renews the leases of claims, and returns those that are still valid.
   * @param timer calls `renew` while anything is held; left out where somebody else does.
   */
  constructor(
    private readonly prolong: (claims: readonly C[]) => Promise<ReadonlySet<C>>,
    private readonly timer?: DueTimer,
  ) {}

  /** @param work is given a signal that aborts when the claim is lost, or this process is to end. */
  async hold(claim: C, work: (over: AbortSignal) => Promise<void>): Promise<void> {
    const over = new AbortController();
    if (this.isEnding) over.abort();
    const one: Held<C> = { claim, over, isRenewed: true, done: Promise.resolve() };
    if (this.held.size === 0) this.timer?.start();
    this.held.add(one);
    try {
      await (one.done = work(over.signal));
    } finally {
      this.held.delete(one);
      if (this.held.size === 0) await this.timer?.stop();
    }
  }

  /** Renews all claims of this process together. */
  async renew(): Promise<void> {
    const held = [...this.held].filter(({ isRenewed }) => isRenewed);
    if (held.length === 0) return;
    const valid = await this.prolong(held.map(({ claim }) => claim));
    for (const { claim, over } of held) if (!valid.has(claim)) over.abort();
  }

  /** The work on this claim continues to its end, but its lease is renewed no more. */
  letExpire(claim: C): void {
    for (const one of this.held) if (one.claim === claim) one.isRenewed = false;
  }

  /** Stops the work on claims, which ends in its own time. */
  abort(isMeant: (claim: C) => boolean): void {
    for (const { claim, over } of this.held) if (isMeant(claim)) over.abort();
  }

  /** Stops all work when the process ends, and waits for it. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.abort(() => true);
    await Promise.allSettled([...this.held].map(({ done }) => done));
  }
}
