import { LRUCache } from 'lru-cache';
import { MinuteBudgetStore, minuteMs, type RateVerdict, verdictOf } from './rate-limit-store.js';

const secondMs = 1_000;
/** Clients choose the keys, so their number is bounded; the least recently counted key is forgotten first. */
const mostKeys = 50_000;

/** One process. */
export class MemoryMinuteRateStore extends MinuteBudgetStore {
  private counted?: LRUCache<string, number>;
  private minute = 0;

  constructor(private readonly max = mostKeys) {
    super();
  }

  /** Made for the first key, because its places take 20 ms and few processes count any. */
  private get hits(): LRUCache<string, number> {
    return (this.counted ??= new LRUCache<string, number>({ max: this.max }));
  }

  increment(key: string, _ttl: number, limit: number): Promise<RateVerdict> {
    const now = Date.now();
    this.startAgainIn(Math.floor(now / minuteMs));
    const hits = (this.hits.get(key) ?? 0) + 1;
    this.hits.set(key, hits);
    return Promise.resolve(verdictOf(limit, hits, false, now / secondMs));
  }

  take(key: string, limit: number, count: number): Promise<RateVerdict> {
    const now = Date.now();
    this.startAgainIn(Math.floor(now / minuteMs));
    const hits = (this.hits.get(key) ?? 0) + count;
    if (hits <= limit) this.hits.set(key, hits);
    return Promise.resolve(verdictOf(limit, hits, false, now / secondMs));
  }

  private startAgainIn(minute: number): void {
    if (minute === this.minute) return;
    this.minute = minute;
    this.hits.clear();
  }
}
