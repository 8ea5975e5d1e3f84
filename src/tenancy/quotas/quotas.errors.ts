import { conflict, shaped } from '#errors';
import { QuotaDetails } from './quota-details.dto.js';
import type { QuotaUse } from './quota.dto.js';
import type { QuotaName } from './quotas.js';

/** Of a quota that bounds each thing rather than their sum. */
export const valueBeyondQuota = (name: QuotaName, next: string, { limit, used }: QuotaUse) =>
  conflict(
    'QUOTA_EXCEEDED',
    `The organization's quota ${name} is ${limit}. ${next}, or ask the operator of this service to raise it.`,
    shaped(QuotaDetails, { quota: name, limit, used }),
  );

export const quotaExceeded = (name: QuotaName, next: string, { limit, used }: QuotaUse) =>
  conflict(
    'QUOTA_EXCEEDED',
    `The organization's quota ${name} is used up: ${used} of ${limit}. ${next}, or ask the operator of this service to raise it.`,
    shaped(QuotaDetails, { quota: name, limit, used }),
  );
