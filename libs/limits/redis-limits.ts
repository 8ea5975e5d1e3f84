import type { Redis, RedisOptions } from 'ioredis';
import { shiftedBy } from '#shifted-time';
import { burstOf, MinuteBudgetStore, RateLimitStore, type RateVerdict, verdictOf } from './rate-limit-store.js';
import { scripts } from './redis-scripts.js';
import { SlidingWindowStore } from './sliding-window-store.js';

export interface RedisLimitsSettings {
  /** redis:// or rediss://, of Redis 7, Valkey 8 or later. */
  url: string;
  /** Separates these counts from those of others in the same Redis. */
  prefix: string;
}

interface Log {
  warn(fields: object, message: string): void;
}

/** A connection that receives nothing for this long is replaced. */
const silenceMs = 1_000;
const longestRetryMs = 500;
const connectTimeoutMs = 2_000;

/** What scripts says. */
interface Commands {
  takeRate(
    minuteKey: string,
    secondKey: string,
    limit: number,
    burst: number,
    shift: number,
  ): Promise<[number, number, number]>;
  takeMinute(key: string, shift: number): Promise<[number, number]>;
  takeBudget(key: string, limit: number, count: number, shift: number): Promise<[number, number]>;
  takeWindow(key: string, limit: number, windowMicroseconds: number, shift: number): Promise<number>;
  takenOfWindow(key: string, windowMicroseconds: number, shift: number): Promise<number>;
}

/**
 * Never waits for a connection: a command that cannot be sent now fails now, and none is sent twice, because it may
 * have been counted.
 */
const options: RedisOptions = {
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  socketTimeout: silenceMs,
  connectTimeout: connectTimeoutMs,
  retryStrategy: (times) => Math.min(times * 50, longestRetryMs),
  scripts,
};

/**
 * Limits that all nodes share. Each decision is one script by Redis's clock, so a node's own clock does not matter; all
 * keys of a credential have one hash tag, which keeps them together in a cluster.
 */
export class RedisLimits {
  readonly rates: RateLimitStore;
  readonly minutes: MinuteBudgetStore;
  readonly windows: SlidingWindowStore;

  private constructor(
    private readonly redis: Redis & Commands,
    prefix: string,
  ) {
    this.rates = new RedisRateLimitStore(redis, prefix);
    this.minutes = new RedisMinuteRateStore(redis, prefix);
    this.windows = new RedisSlidingWindowStore(redis, prefix);
  }

  /** Connected or not: a Redis that is down must not prevent the start. Until it is back, requests are rejected. */
  static async open({ url, prefix }: RedisLimitsSettings, log: Log): Promise<RedisLimits> {
    const { Redis } = await import('ioredis');
    const redis = new Redis(url, options) as Redis & Commands;
    redis.on('error', ({ message }: Error) =>
      log.warn({ error: message }, 'Redis is unreachable, so limits cannot be counted'),
    );
    await new Promise((resolve) => redis.once('ready', resolve).once('error', resolve));
    return new RedisLimits(redis, prefix);
  }

  close(): void {
    this.redis.disconnect();
  }
}

/** Fixed window on the clock minute, sliding window of admitted requests over the last second. */
class RedisRateLimitStore extends RateLimitStore {
  constructor(
    private readonly commands: Commands,
    private readonly prefix: string,
  ) {
    super();
  }

  async increment(principal: string, _ttl: number, limit: number): Promise<RateVerdict> {
    const key = `${this.prefix}:{${principal}}`;
    const [hits, isOverBurst, nowSeconds] = await this.commands.takeRate(
      `${key}:minute`,
      `${key}:second`,
      limit,
      burstOf(limit),
      shiftedBy(),
    );
    return verdictOf(limit, hits, isOverBurst === 1, nowSeconds);
  }
}

/** Fixed window on the clock minute. */
class RedisMinuteRateStore extends MinuteBudgetStore {
  constructor(
    private readonly commands: Commands,
    private readonly prefix: string,
  ) {
    super();
  }

  async increment(key: string, _ttl: number, limit: number): Promise<RateVerdict> {
    const [hits, nowSeconds] = await this.commands.takeMinute(this.keyOf(key), shiftedBy());
    return verdictOf(limit, hits, false, nowSeconds);
  }

  async take(key: string, limit: number, count: number): Promise<RateVerdict> {
    const [hits, nowSeconds] = await this.commands.takeBudget(this.keyOf(key), limit, count, shiftedBy());
    return verdictOf(limit, hits, false, nowSeconds);
  }

  private keyOf(key: string): string {
    return `${this.prefix}:{${key}}:minute`;
  }
}

class RedisSlidingWindowStore extends SlidingWindowStore {
  constructor(
    private readonly commands: Commands,
    private readonly prefix: string,
  ) {
    super();
  }

  async take(key: string, limit: number, windowMs: number): Promise<number> {
    const waitMicroseconds = await this.commands.takeWindow(this.keyOf(key), limit, windowMs * 1_000, shiftedBy());
    return Math.ceil(waitMicroseconds / 1_000);
  }

  taken(key: string, windowMs: number): Promise<number> {
    return this.commands.takenOfWindow(this.keyOf(key), windowMs * 1_000, shiftedBy());
  }

  private keyOf(key: string): string {
    return `${this.prefix}:{${key}}`;
  }
}
