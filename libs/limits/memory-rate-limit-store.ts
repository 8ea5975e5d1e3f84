import { burstOf, RateLimitStore, type RateVerdict, verdictOf } from './rate-limit-store.js';

interface Count {
  minute: number;
  hits: number;
  /** The last admitted stamps, as a ring: the oldest is the next to be overwritten. */
  admitted: number[];
  next: number;
}

const minuteMs = 60_000;
const secondMs = 1_000;

/** One process: fixed window on the clock minute, sliding log of admitted requests over the last second. */
export class MemoryRateLimitStore extends RateLimitStore {
  private readonly counts = new Map<string, Count>();
  private sweptMinute = 0;

  take(principal: string, limit: number): RateVerdict {
    const now = Date.now();
    const minute = Math.floor(now / minuteMs);
    this.sweep(minute);
    const count = this.countOf(principal, minute);
    count.hits += 1;
    const isOverBurst = count.hits <= limit && !admit(count, now, burstOf(limit));
    return verdictOf(limit, count.hits, isOverBurst, now / secondMs);
  }

  private countOf(principal: string, minute: number): Count {
    let count = this.counts.get(principal);
    if (!count) this.counts.set(principal, (count = { minute, hits: 0, admitted: [], next: 0 }));
    if (count.minute !== minute) Object.assign(count, { minute, hits: 0 });
    return count;
  }

  /** Once a minute, credentials that were silent for the whole minute before are forgotten. */
  private sweep(minute: number): void {
    if (minute === this.sweptMinute) return;
    this.sweptMinute = minute;
    for (const [principal, count] of this.counts) if (count.minute < minute - 1) this.counts.delete(principal);
  }
}

/** Never more than `burst` admitted within any second. */
function admit(count: Count, now: number, burst: number): boolean {
  if (count.admitted.length > burst) Object.assign(count, { admitted: [], next: 0 });
  const oldest = count.admitted[count.next];
  if (oldest !== undefined && now - oldest < secondMs && now >= oldest) return false;
  count.admitted[count.next] = now;
  count.next = (count.next + 1) % burst;
  return true;
}
