import { Injectable } from '@nestjs/common';
import { Keyring } from '#secrets';
import { SystemDatabase } from '#system-database';

/** At most `limit` times within any `windowMs` milliseconds. */
export interface Window {
  limit: number;
  windowMs: number;
}

/**
 * How often something happened recently, by key; one count for all nodes. Windows of an hour must survive a restart and
 * be shared without Redis, so they are rows, unlike those of `SlidingWindowStore`. Keys contain addresses, so only their
 * hashes are stored.
 */
@Injectable()
export class SlidingWindowsRepository {
  constructor(
    private readonly database: SystemDatabase,
    private readonly keyring: Keyring,
  ) {}

  /** Takes a place. @returns how long until one is free, in milliseconds; 0 when it was taken. */
  async take(key: string, { limit, windowMs }: Window): Promise<number> {
    const [hash, now] = [this.hashOf(key), Date.now()];
    const since = timeOf(now - windowMs);
    const taken = await this.database.rows(
      `insert into sliding_windows as w (key, times, ends_at) values ($1, array[$2::timestamptz], $3)
       on conflict (key) do update
         set times = array(select t from unnest(w.times) t where t > $4 order by t) || excluded.times,
             ends_at = excluded.ends_at
         where (select count(*) from unnest(w.times) t where t > $4) < $5
       returning 1`,
      [hash, timeOf(now), timeOf(now + windowMs), since, limit],
    );
    if (taken.length > 0) return 0;
    const [row] = await this.database.rows(
      'select min(t) as first from sliding_windows, unnest(times) t where key = $1 and t > $2',
      [hash, since],
    );
    // The places that filled it may just have been released.
    return Math.max(Date.parse((row?.first as string | null) ?? since) + windowMs - now, 1);
  }

  /** Returns the place that was taken last. */
  async giveBack(key: string): Promise<void> {
    const text = 'update sliding_windows set times = trim_array(times, 1) where key = $1 and cardinality(times) > 0';
    await this.database.rows(text, [this.hashOf(key)]);
  }

  private hashOf(key: string): Buffer {
    return this.keyring.hash(`window ${key}`);
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
