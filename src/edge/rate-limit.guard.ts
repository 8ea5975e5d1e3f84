import type { Request, Response } from 'express';
import { type ExecutionContext, Inject, Injectable, Logger } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import { RateLimitStore, type RateVerdict } from '#limits';
import { timely } from '#timely';
import { contextOf } from '#operations';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';

const retryAfterOutageSeconds = 5;
const minuteSeconds = 60;

/**
 * Third guard: every authenticated request counts against its credential's budget, whatever becomes of it (Interface
 * Specification, Limits). A tool call is part of the HTTP request that carries it and has been counted with it; a step
 * of a workflow is no request.
 */
@Injectable()
export class RateLimitGuard extends ThrottlerGuard {
  private readonly log = new Logger(RateLimitGuard.name);

  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() private readonly store: RateLimitStore,
    reflector: Reflector,
    @Inject(CONFIG) private readonly config: Config,
    private readonly metrics: Metrics,
  ) {
    super(options, store, reflector);
  }

  protected override shouldSkip(host: ExecutionContext): Promise<boolean> {
    const { door, caller } = contextOf(host);
    return Promise.resolve(door !== 'rest' || !caller);
  }

  protected override getTracker(request: Request): Promise<string> {
    return Promise.resolve((request.context.caller as Caller).credential.principal);
  }

  protected override generateKey(_host: ExecutionContext, tracker: string): string {
    return tracker;
  }

  protected override async handleRequest({
    context,
    getTracker,
    generateKey,
    throttler,
  }: ThrottlerRequest): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const { ratePerMinute } = (request.context.caller as Caller).credential;
    const key = generateKey(context, await getTracker(request, context), throttler.name ?? '');
    const verdict = await this.take(key, ratePerMinute);
    setRateHeaders(response, verdict);
    if (!verdict.allowed) throw this.exceeded(verdict);
    return true;
  }

  private async take(key: string, limit: number): Promise<RateVerdict> {
    try {
      return await timely(this.store.take(key, limit), this.config.limitsTimeoutMs);
    } catch (error) {
      this.log.error({ err: error as Error }, 'The rate limiter is unavailable; requests are refused');
      return outage(limit);
    }
  }

  private exceeded({ exceeded, limit, remaining, resetAtEpochSeconds, retryAfterSeconds }: RateVerdict): ServiceError {
    this.metrics.count('limitRefusals', [exceeded ?? 'outage']);
    return new ServiceError({
      status: 429,
      message: 'API rate limit exceeded',
      details: { vendor: this.config.vendor, retryAfterSeconds, rateLimit: { limit, remaining, resetAtEpochSeconds } },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** Fails closed: without a limiter nothing is let through. */
function outage(limit: number): RateVerdict {
  const minute = Math.floor(Date.now() / 1_000 / minuteSeconds);
  return {
    allowed: false,
    limit,
    remaining: 0,
    resetAtEpochSeconds: (minute + 1) * minuteSeconds,
    retryAfterSeconds: retryAfterOutageSeconds,
  };
}

function setRateHeaders(response: Response, { limit, remaining, resetAtEpochSeconds }: RateVerdict): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetAtEpochSeconds);
}
