import type { ThrottlerStorage } from '@nestjs/throttler';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * The effect of one request on its budget: the throttler's record, in seconds, and the values for the response's
 * headers.
 */
export interface RateVerdict extends ThrottlerRecord {
  /** Which of the two was exceeded; the minute where both are. */
  exceeded?: 'minute' | 'burst';
  /** Requests per minute. */
  limit: number;
  /** What is left of this minute. */
  remaining: number;
  /** Unix time. */
  resetAtEpochSeconds: number;
}

const minuteSeconds = 60;
export const minuteMs = minuteSeconds * 1_000;

/** Requests a second that a minute limit allows (Interface Specification, Limits). */
export const burstOf = (limit: number): number => Math.max(50, Math.ceil(limit / 60));

/**
 * The verdict on a counted request, by the clock that counted it.
 *
 * @param hits requests of this clock minute, this one among them.
 * @param nowSeconds Unix time, whole or not.
 */
export function verdictOf(limit: number, hits: number, isOverBurst: boolean, nowSeconds: number): RateVerdict {
  const resetAtEpochSeconds = (Math.floor(nowSeconds / minuteSeconds) + 1) * minuteSeconds;
  const timeToExpire = Math.ceil(resetAtEpochSeconds - nowSeconds);
  const exceeded = hits > limit ? 'minute' : isOverBurst ? 'burst' : undefined;
  return {
    ...(exceeded && { exceeded }),
    limit,
    remaining: Math.max(0, limit - hits),
    resetAtEpochSeconds,
    totalHits: hits,
    timeToExpire,
    isBlocked: exceeded !== undefined,
    timeToBlockExpire: exceeded === 'minute' ? timeToExpire : exceeded ? 1 : 0,
  };
}

/**
 * Counts a request against the minute of the clock. There is no other window, so the throttler's `ttl`, whose window
 * would start with the first request, has no effect.
 */
export abstract class MinuteRateStore implements ThrottlerStorage {
  abstract increment(key: string, ttl: number, limit: number): Promise<RateVerdict>;
}

/** Counts many at a time against the minute of the clock: all of them, or none where they are too many. */
export abstract class MinuteBudgetStore extends MinuteRateStore {
  abstract take(key: string, limit: number, count: number): Promise<RateVerdict>;
}

/**
 * Counts a request against the clock minute and against any second, in one atomic step. Each node keeps its own counts
 * in memory, or all of them share one store. A store that fails or is late refuses the request (fail closed).
 */
export abstract class RateLimitStore extends MinuteRateStore {}
