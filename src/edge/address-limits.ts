import type { Request } from 'express';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { addressOf, isLoopback, MemoryMinuteRateStore, MinuteRateStore, networkOf, type RateVerdict } from '#limits';
import { timely } from '#timely';
import { type Config, CONFIG } from '../platform/config/app.config.js';
import { Metrics } from '../platform/metrics/metrics.js';
import { AddressLimitExceeded } from '../platform/limits/address-limit-exceeded.js';

/** Requests a minute without a valid credential (design: Who may what). */
const addressLimit = 600;
const networkLimit = 6_000;

/**
 * Counts requests that no credential pays for, by the address that TRUSTED_PROXIES makes of them and by its network.
 * What an address is refused does not count against its network, so one address cannot use up the budget of all.
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
   * Counts a request once, however many of its checks ask.
   *
   * @throws rate_limit_error with Retry-After.
   */
  async take({ context, ip = '' }: Request): Promise<void> {
    if (context.countedByAddress || this.isExempt(ip)) return;
    context.countedByAddress = true;
    await this.spend(`address ${addressOf(ip)}`, addressLimit);
    await this.spend(`network ${networkOf(ip)}`, networkLimit);
  }

  /** Without a proxy in front, loopback is this machine; behind one, it is everybody. */
  private isExempt(ip: string): boolean {
    return this.config.trustedProxies === 0 && isLoopback(ip);
  }

  private async spend(key: string, limit: number): Promise<void> {
    const verdict = await this.verdict(key, limit);
    if (verdict.allowed) return;
    this.metrics.count('limitRefusals', ['address']);
    throw new AddressLimitExceeded(verdict, this.config.vendor);
  }

  /**
   * While the shared limiter is down, each node counts for itself: refusing everybody would take sign-in, discovery and
   * the token endpoint away from all, and letting everybody through would lift the limit when it is needed.
   */
  private async verdict(key: string, limit: number): Promise<RateVerdict> {
    try {
      return await timely(this.store.take(key, limit), this.config.limitsTimeoutMs);
    } catch (error) {
      this.log.warn({ err: error as Error }, 'The limiter of addresses is unavailable; this process counts alone');
      return this.own.take(key, limit);
    }
  }
}
