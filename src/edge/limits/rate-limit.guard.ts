import type { Response } from 'express';
import { type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
} from '@nestjs/throttler';
import { ServiceError } from '#errors';
import { minuteMs, RateLimitStore, type RateVerdict, verdictOf } from '#limits';
import { withTimeout } from '#with-timeout';
import { contextOf } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Metrics } from '../../platform/metrics/metrics.js';

const retryAfterOutageSeconds = 5;

/**
 * Third guard: every authenticated request counts against its credential's budget, whatever its outcome (Interface
 * Specification, Limits). A tool call is part of the HTTP request that carries it and counted with it; a step of a
 * workflow does not count as a request.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly log = new Logger(RateLimitGuard.name);

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() protected override readonly storageService: RateLimitStore,
    reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    super(options, storageService, reflector);
  }

  /**
   * The throttler looks for limits that decorators set, which none of ours does: six look-ups for each request, 3 % of its
   * CPU time.
   */
  override async canActivate(host: ExecutionContext): Promise<boolean> {
    const { door, caller } = contextOf(host);
    if (door !== 'rest' || !caller) return true;
    const { principal, ratePerMinute } = caller.credential;
    const verdict = await this.increment(principal, minuteMs, ratePerMinute);
    setRateHeaders(host.getArgByIndex<Response>(1), verdict);
    if (verdict.isBlocked) throw this.exceeded(verdict);
    return true;
  }

  private async increment(key: string, ttl: number, limit: number): Promise<RateVerdict> {
    try {
      return await withTimeout(this.storageService.increment(key, ttl, limit), this.config.limitsTimeoutMs);
    } catch (error) {
      this.log.error({ err: error as Error }, 'The rate limiter is unavailable; requests are rejected');
      return outage(limit);
    }
  }

  private exceeded({ exceeded, timeToBlockExpire: retryAfterSeconds, ...verdict }: RateVerdict): ServiceError {
    const { limit, remaining, resetAtEpochSeconds } = verdict;
    this.metrics.count('limitRefusals', [exceeded ?? 'outage']);
    return new ServiceError({
      status: 429,
      message: 'API rate limit exceeded',
      details: { vendor: this.config.vendor, retryAfterSeconds, rateLimit: { limit, remaining, resetAtEpochSeconds } },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** Fails closed: without a limiter nothing is accepted. */
function outage(limit: number): RateVerdict {
  const { exceeded: _, ...verdict } = verdictOf(limit, limit + 1, false, Date.now() / 1_000);
  return { ...verdict, timeToBlockExpire: retryAfterOutageSeconds };
}

/** The throttler itself gives the reset in seconds from now, and sends no headers with a rejection. */
function setRateHeaders(response: Response, { limit, remaining, resetAtEpochSeconds }: RateVerdict): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetAtEpochSeconds);
}
