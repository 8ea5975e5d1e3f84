import { Int, ObjectOf } from '#operations';
import { type QuotaName, quotas } from './quotas.js';

const largest = Number.MAX_SAFE_INTEGER;

export class QuotaUse {
  @Int({ description: 'Maximum; only an operator can change it.', min: 0, max: largest })
  limit: number;

  @Int({
    description: 'Current usage; it can exceed a lowered limit.',
    min: 0,
    max: largest,
  })
  used: number;
}

const Quota = (name: QuotaName): PropertyDecorator =>
  ObjectOf(() => QuotaUse, { description: quotas[name].description });

export class QuotasView implements Record<QuotaName, QuotaUse> {
  @Quota('attachmentBytes') attachmentBytes: QuotaUse;
  @Quota('connections') connections: QuotaUse;
  @Quota('webhookEndpoints') webhookEndpoints: QuotaUse;
  @Quota('apiKeys') apiKeys: QuotaUse;
  @Quota('keyRatePerMinute') keyRatePerMinute: QuotaUse;
  @Quota('templates') templates: QuotaUse;
  @Quota('workflows') workflows: QuotaUse;
  @Quota('members') members: QuotaUse;
  @Quota('invitationsPerDay') invitationsPerDay: QuotaUse;
  @Quota('properties') properties: QuotaUse;
  @Quota('approvalRules') approvalRules: QuotaUse;
}
