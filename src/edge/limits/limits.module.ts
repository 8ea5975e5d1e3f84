import { Inject, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  MemoryMinuteRateStore,
  MemoryRateLimitStore,
  MemorySlidingWindowStore,
  MinuteBudgetStore,
  MinuteRateStore,
  RateLimitStore,
  RedisLimits,
  SlidingWindowStore,
} from '#limits';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';

/** Undefined if each process counts separately. */
const SHARED_LIMITS = Symbol('limits of several nodes');
type SharedLimits = RedisLimits | undefined;

/** The store of request and model call counts: Redis for several nodes, memory for one. */
@Module({
  providers: [
    {
      provide: SHARED_LIMITS,
      inject: [CONFIG],
      useFactory: async ({ redisUrl, region, environment }: Config): Promise<SharedLimits> =>
        redisUrl
          ? await RedisLimits.open(
              { url: redisUrl, prefix: `limits-${region}-${environment}` },
              new Logger(RedisLimits.name),
            )
          : undefined,
    },
    {
      provide: RateLimitStore,
      inject: [{ token: SHARED_LIMITS, optional: true }],
      useFactory: (shared: SharedLimits) => shared?.rates ?? new MemoryRateLimitStore(),
    },
    {
      provide: MinuteRateStore,
      inject: [{ token: SHARED_LIMITS, optional: true }],
      useFactory: (shared: SharedLimits) => shared?.minutes ?? new MemoryMinuteRateStore(),
    },
    { provide: MinuteBudgetStore, useExisting: MinuteRateStore },
    {
      provide: SlidingWindowStore,
      inject: [{ token: SHARED_LIMITS, optional: true }],
      useFactory: (shared: SharedLimits) => shared?.windows ?? new MemorySlidingWindowStore(),
    },
  ],
  exports: [MinuteBudgetStore, MinuteRateStore, RateLimitStore, SlidingWindowStore],
})
export class LimitsModule implements OnApplicationShutdown {
  constructor(@Inject(SHARED_LIMITS) private readonly shared: SharedLimits) {}

  /** After the last request has been answered. */
  onApplicationShutdown(): void {
    this.shared?.close();
  }
}
