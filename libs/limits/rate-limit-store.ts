import type { ThrottlerStorage } from '@nestjs/throttler';

/** What one request did to its budget. Times are Unix times. */
export interface RateVerdict {
  allowed: boolean;
  /** Which of the two was exceeded; the minute where both are. */
  exceeded?: 'minute' | 'burst';
  /** Requests a clock minute. */
  limit: number;
  /** What is left of this minute. */
  remaining: number;
  resetAtEpochSeconds: number;
  retryAfterSeconds: number;
}

const minuteSeconds = 60;

/** Requests a second that a minute limit allows (Interface Specification, Limits). */
export const burstOf = (limit: number): number => Math.max(50, Math.ceil(limit / 60));

/**
 * The verdict on a request that was counted, by the clock that it was counted by.
 *
 * @param hits requests of this clock minute, this one among them.
 * @param nowSeconds Unix time, whole or not.
 */
export function verdictOf(limit: number, hits: number, isOverBurst: boolean, nowSeconds: number): RateVerdict {
  const resetAtEpochSeconds = (Math.floor(nowSeconds / minuteSeconds) + 1) * minuteSeconds;
  const exceeded = hits > limit ? 'minute' : isOverBurst ? 'burst' : undefined;
  return {
    allowed: !exceeded,
    ...(exceeded && { exceeded }),
    limit,
    remaining: Math.max(0, limit - hits),
    resetAtEpochSeconds,
    retryAfterSeconds: exceeded === 'minute' ? Math.ceil(resetAtEpochSeconds - nowSeconds) : exceeded ? 1 : 0,
  };
}

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * Counts a request against the clock minute and against any second, in one atomic step. Each node keeps its own counts
 * in memory, or all of them share one store. A store that fails or is late refuses the request (fail closed).
 */
export abstract class RateLimitStore implements ThrottlerStorage {
  abstract take(principal: string, limit: number): RateVerdict | Promise<RateVerdict>;

  /** The throttler's own words for the same verdict. */
  async increment(key: string, _ttl: number, limit: number): Promise<ThrottlerRecord & { verdict: RateVerdict }> {
    const verdict = await this.take(key, limit);
    return {
      verdict,
      totalHits: verdict.limit - verdict.remaining,
      timeToExpire: verdict.resetAtEpochSeconds - Math.floor(Date.now() / 1000),
      isBlocked: !verdict.allowed,
      timeToBlockExpire: verdict.retryAfterSeconds,
    };
  }
}
