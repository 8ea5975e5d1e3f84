import { LRUCache } from 'lru-cache';
import { type RateVerdict, verdictOf } from './rate-limit-store.js';

/** How often something may happen in a minute of the clock, by key, without a limit of the burst. */
export abstract class MinuteRateStore {
  abstract take(key: string, limit: number): RateVerdict | Promise<RateVerdict>;
}

const minuteMs = 60_000;
const secondMs = 1_000;
/** Clients choose the keys, so their number is bounded; the least recently counted key is forgotten first. */
const mostKeys = 50_000;

/** One process. */
export class MemoryMinuteRateStore extends MinuteRateStore {
  private readonly hits: LRUCache<string, number>;
  private minute = 0;

  constructor(max = mostKeys) {
    super();
    this.hits = new LRUCache<string, number>({ max });
  }

  take(key: string, limit: number): RateVerdict {
    const now = Date.now();
    this.startAgainIn(Math.floor(now / minuteMs));
    const hits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, hits);
    return verdictOf(limit, hits, false, now / secondMs);
  }

  private startAgainIn(minute: number): void {
    if (minute === this.minute) return;
    this.minute = minute;
    this.hits.clear();
  }
}
