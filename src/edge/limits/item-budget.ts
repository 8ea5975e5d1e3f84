import { Inject, Injectable, Logger } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { ServiceError } from '#errors';
import { MinuteBudgetStore, type RateVerdict, verdictOf } from '#limits';
import { withTimeout } from '#with-timeout';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { Metrics } from '../../platform/metrics/metrics.js';

const itemsPerMinute = 20_000;

/** A request with many items counts as one request; its items count against a budget of their own for each credential. */
@Injectable()
export class ItemBudget {
  private readonly log = new Logger(ItemBudget.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: MinuteBudgetStore,
    private readonly metrics: Metrics,
  ) {}

  /** @throws rate_limit_error if there are more than are left of this minute, or the limiter is unavailable. */
  async spend({ credential }: RequestCaller, items: number): Promise<void> {
    const {
      timeToBlockExpire: retryAfterSeconds,
      isBlocked,
      ...verdict
    } = await this.take(credential.principal, items);
    if (!isBlocked) return;
    this.metrics.count('limitRefusals', ['items']);
    const { limit, resetAtEpochSeconds } = verdict;
    const remaining = Math.max(0, limit - (verdict.totalHits - items));
    throw new ServiceError({
      status: 429,
      message: 'The limit of items per minute is reached, so none was saved. Send them again after Retry-After.',
      details: { vendor: this.config.vendor, retryAfterSeconds, rateLimit: { limit, remaining, resetAtEpochSeconds } },
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }

  private async take(principal: string, items: number): Promise<RateVerdict> {
    try {
      return await withTimeout(
        this.store.take(`items:${principal}`, itemsPerMinute, items),
        this.config.limitsTimeoutMs,
      );
    } catch (error) {
      this.log.error({ err: error as Error }, 'The item limiter is unavailable; bulk requests are rejected');
      return verdictOf(itemsPerMinute, itemsPerMinute + items, false, Date.now() / 1_000);
    }
  }
}
