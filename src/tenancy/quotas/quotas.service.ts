import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ServiceError } from '#errors';
import { Metrics } from '../../platform/metrics/metrics.js';
import type { QuotasView, QuotaUse } from './quota.dto.js';
import { quotas as known, type QuotaName } from './quotas.js';
import { quotaExceeded, valueBeyondQuota } from './quotas.errors.js';
import { QuotasRepository } from './quotas.repository.js';

/** What an organization may have of each thing, so that none fills the disk or slows the service for all others. */
@Injectable()
export class Quotas {
  constructor(
    private readonly quotas: QuotasRepository,
    private readonly metrics: Metrics,
  ) {}

  /** Every quota of an organization, with its usage. */
  of(orgId: string): Promise<QuotasView> {
    return this.quotas.all(orgId);
  }

  /**
   * Called in the transaction that adds something, right before it is added: additions to the same quota wait for each
   * other until that transaction ends. Existing things stay, and an operator's commands are never rejected.
   *
   * @throws conflict_error QUOTA_EXCEEDED
   */
  async admit(caller: Caller, name: QuotaName, added = 1): Promise<void> {
    const quota = await this.locked(caller, name);
    if (quota && quota.used + added > quota.limit)
      throw this.refused(name, quotaExceeded(name, known[name].next, quota));
  }

  /**
   * The same for a quota that bounds each thing rather than their sum.
   *
   * @throws conflict_error QUOTA_EXCEEDED
   */
  async admitValue(caller: Caller, name: QuotaName, value: number): Promise<void> {
    const quota = await this.locked(caller, name);
    if (quota && value > quota.limit) throw this.refused(name, valueBeyondQuota(name, known[name].next, quota));
  }

  /** @returns undefined for an operator's command. */
  private async locked({ orgId, credential }: Caller, name: QuotaName): Promise<QuotaUse | undefined> {
    return credential.kind === 'operator' ? undefined : await this.quotas.locked(orgId, name);
  }

  private refused(name: QuotaName, refusal: ServiceError): ServiceError {
    this.metrics.count('quotaRefusals', [name]);
    return refusal;
  }
}
