import { setTimeout as wait } from 'node:timers/promises';

/**
 * Lets one caller pass at a time, with a gap in between, in the order of the calls. A caller that gives up uses no gap.
 */
export class Pace {
  private freeAt = 0;
  private last = Promise.resolve();

  constructor(private readonly gapMs: number) {}

  /** @throws the abort reason of the signal, or an AbortError. */
  async turn(signal?: AbortSignal): Promise<void> {
    const turn = this.last.then(() => this.pass(signal));
    this.last = turn.catch(() => undefined);
    await turn;
  }

  private async pass(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const rest = this.freeAt - performance.now();
    if (rest > 0) await wait(rest, undefined, { signal });
    this.freeAt = performance.now() + this.gapMs;
  }
}
