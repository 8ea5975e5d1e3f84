import { setTimeout as wait } from 'node:timers/promises';

/** Lets one pass at a time, with a gap between them, in the order in which they came. */
export class Pace {
  private freeAt = 0;

  constructor(private readonly gapMs: number) {}

  async turn(signal?: AbortSignal): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.freeAt);
    this.freeAt = at + this.gapMs;
    if (at > now) await wait(at - now, undefined, { signal });
  }
}
