import { LRUCache } from 'lru-cache';
import { minuteMs, MinuteRateStore, type RateVerdict, verdictOf } from './rate-limit-store.js';

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

  increment(key: string, _ttl: number, limit: number): Promise<RateVerdict> {
    const now = Date.now();
    this.startAgainIn(Math.floor(now / minuteMs));
    const hits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, hits);
    return Promise.resolve(verdictOf(limit, hits, false, now / secondMs));
  }

  private startAgainIn(minute: number): void {
    if (minute === this.minute) return;
    this.minute = minute;
    this.hits.clear();
  }
}
