import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import { SlidingWindowStore } from '#limits';
import { withTimeout } from '#with-timeout';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { OrganizationsService } from '../../tenancy/organizations/organizations.service.js';

const windowMs = 60_000;
const keyOf = (caller: Caller): string => `models:${caller.orgId}`;

/**
 * Operations that call a language model share a budget of the organization, for every key, token and door: 10 calls in
 * any 60 seconds unless the organization has more (Interface Specification, Model-backed operations).
 */
@Injectable()
export class ModelBudget {
  private readonly log = new Logger(ModelBudget.name);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly store: SlidingWindowStore,
    private readonly organizations: OrganizationsService,
    private readonly metrics: Metrics,
  ) {}

  /** @throws rate_limit_error, without Retry-After if the limiter is unavailable: nothing is accepted then. */
  async spend(caller: Caller): Promise<void> {
    const { modelCallsPerMinute } = await this.organizations.get(caller);
    let waitMs: number;
    try {
      const taken = this.store.take(keyOf(caller), modelCallsPerMinute, windowMs);
      waitMs = await withTimeout(taken, this.config.limitsTimeoutMs);
    } catch (error) {
      this.log.error({ err: error as Error }, 'The model call limiter is unavailable; model calls are rejected');
      throw this.exceeded();
    }
    if (waitMs > 0) throw this.exceeded(Math.ceil(waitMs / 1_000));
  }

  /** @returns how many calls count now, or undefined if the limiter is unavailable. */
  async used(caller: Caller): Promise<number | undefined> {
    try {
      return await withTimeout(this.store.taken(keyOf(caller), windowMs), this.config.limitsTimeoutMs);
    } catch {
      return undefined;
    }
  }

  private exceeded(retryAfterSeconds?: number): ServiceError {
    const isKnown = retryAfterSeconds !== undefined;
    this.metrics.count('limitRefusals', [isKnown ? 'models' : 'outage']);
    return new ServiceError({
      status: 429,
      message: 'Model-backed action rate limit exceeded',
      details: { vendor: this.config.vendor, ...(isKnown && { retryAfterSeconds }) },
      headers: isKnown ? { 'Retry-After': String(retryAfterSeconds) } : {},
    });
  }
}
