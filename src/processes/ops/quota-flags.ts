import { invalidField } from '#errors';
import { isQuota, type QuotaLimits, quotaNames, quotas } from '../../tenancy/quotas/quotas.js';

/**
 * Reads `connections=300`.
 *
 * @throws validation_error
 */
export function quotaLimitsIn(given: readonly string[]): QuotaLimits {
  const limits: QuotaLimits = {};
  for (const text of given) {
    const [, name = '', digits = ''] = /^(\w+)=(\d{1,16})$/.exec(text) ?? [];
    if (!isQuota(name)) throw invalidField(['quota'], `Pass name=value; the names are ${quotaNames.join(', ')}.`);
    const { least, most } = quotas[name];
    const limit = Number(digits);
    if (limit < least || limit > most) throw invalidField(['quota'], `Set ${name} from ${least} to ${most}.`);
    limits[name] = limit;
  }
  return limits;
}
