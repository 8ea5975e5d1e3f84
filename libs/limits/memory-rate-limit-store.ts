import { burstOf, minuteMs, RateLimitStore, type RateVerdict, verdictOf } from './rate-limit-store.js';
import { SlidingWindow } from './sliding-window.js';

interface Count {
  minute: number;
  hits: number;
  readonly admitted: SlidingWindow;
}

const secondMs = 1_000;

/** One process: fixed window on the clock minute, sliding window of admitted requests over the last second. */
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly counts = new Map<string, Count>();
  private sweptMinute = 0;

  increment(principal: string, _ttl: number, limit: number): Promise<RateVerdict> {
    const now = Date.now();
    const minute = Math.floor(now / minuteMs);
    this.sweep(minute);
    const count = this.countOf(principal, minute);
    count.hits += 1;
    const isOverBurst = count.hits <= limit && count.admitted.take(now, burstOf(limit), secondMs) > 0;
    return Promise.resolve(verdictOf(limit, count.hits, isOverBurst, now / secondMs));
  }

  private countOf(principal: string, minute: number): Count {
    let count = this.counts.get(principal);
    if (!count) this.counts.set(principal, (count = { minute, hits: 0, admitted: new SlidingWindow() }));
    if (count.minute !== minute) Object.assign(count, { minute, hits: 0 });
    return count;
  }

  /** Once a minute, forgets credentials without requests in the whole previous minute. */
  private sweep(minute: number): void {
    if (minute === this.sweptMinute) return;
    this.sweptMinute = minute;
    for (const [principal, count] of this.counts) if (count.minute < minute - 1) this.counts.delete(principal);
  }
}
