import type { Request } from 'express';
import { Inject, Injectable, Logger } from '@nestjs/common';
import {
  addressOf,
  isLoopback,
  MemoryMinuteRateStore,
  minuteMs,
  MinuteRateStore,
  networkOf,
  type RateVerdict,
} from '#limits';
import { withTimeout } from '#with-timeout';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { AddressLimitExceeded } from '../../platform/limits/address-limit-exceeded.js';

/** Requests per minute without a valid credential. */
const addressLimit = 600;
const networkLimit = 6_000;

/**
 * Counts requests without a valid credential, by the address that TRUSTED_PROXIES determines and by its network.
 * Requests that an address is denied do not count against its network, so one address cannot use up the budget of all.
 */
@Injectable()
export class AddressLimits {
  private readonly log = new Logger(AddressLimits.name);
  private readonly own = new MemoryMinuteRateStore();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: MinuteRateStore,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Counts a request once, however many checks ask.
   *
   * @throws rate_limit_error with Retry-After.
   */
  async take({ context, ip = '' }: Request): Promise<void> {
    if (context.countedByAddress || this.isExempt(ip)) return;
    context.countedByAddress = true;
    await this.spend(`address ${addressOf(ip)}`, addressLimit);
    await this.spend(`network ${networkOf(ip)}`, networkLimit);
  }

  /** Without a proxy in front, loopback is this machine; behind a proxy, it is everybody. */
  private isExempt(ip: string): boolean {
    return this.config.trustedProxies === 0 && isLoopback(ip);
  }

  private async spend(key: string, limit: number): Promise<void> {
    const verdict = await this.verdict(key, limit);
    if (!verdict.isBlocked) return;
    this.metrics.count('limitRefusals', ['address']);
    throw new AddressLimitExceeded(verdict, this.config.vendor);
  }

  /**
   * While the shared limiter is down, each node counts separately: rejecting everybody would block sign-in, discovery
   * and the token endpoint for all, and accepting everybody would lift the limit when it is needed.
   */
  private async verdict(key: string, limit: number): Promise<RateVerdict> {
    try {
      return await withTimeout(this.store.increment(key, minuteMs, limit), this.config.limitsTimeoutMs);
    } catch (error) {
      this.log.warn(
        { err: error as Error },
        'The address limiter is unavailable; this process counts addresses on its own',
      );
      return await this.own.increment(key, minuteMs, limit);
    }
  }
}
