import { Int, OneOf } from '#operations';
import { type QuotaName, quotaNames } from './quotas.js';

export class QuotaDetails {
  @OneOf(quotaNames, { description: 'Quota that is used up.' }) quota: QuotaName;
  @Int({ description: 'Its limit.', min: 0, max: Number.MAX_SAFE_INTEGER }) limit: number;
  @Int({ description: 'How much is used.', min: 0, max: Number.MAX_SAFE_INTEGER }) used: number;
}
