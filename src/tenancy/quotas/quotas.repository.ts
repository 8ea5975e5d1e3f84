import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import type { QuotaUse } from './quota.dto.js';
import { type QuotaLimits, type QuotaName, quotaNames, quotas } from './quotas.js';

@Injectable()
export class QuotasRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Every quota of the organization. */
  async all(orgId: string): Promise<Record<QuotaName, QuotaUse>> {
    const uses = quotaNames.map((name) => `(${quotas[name].used})::bigint as "${name}"`);
    const row = await this.row(orgId, uses.join(', '));
    return Object.fromEntries(
      quotaNames.map((name) => [name, { limit: limitIn(row, name), used: row[name] as number }]),
    ) as Record<QuotaName, QuotaUse>;
  }

  /**
   * One quota, locked until the transaction ends, so that of two additions the second counts the first. The lock is a
   * separate statement, because a statement that waits for a lock counts what existed before it waited.
   */
  async locked(orgId: string, name: QuotaName): Promise<QuotaUse> {
    const lock = 'select pg_advisory_xact_lock(hashtextextended($1, 0))';
    this.database.defer(orgId, lock, [`quota ${name} ${uuidIn(orgId)}`]);
    const row = await this.row(orgId, `(${quotas[name].used})::bigint as "used"`);
    return { limit: limitIn(row, name), used: row.used as number };
  }

  private async row(orgId: string, uses: string): Promise<Record<string, unknown>> {
    const text = `select quota_limits, ${uses} from organizations where id = $1 and $2::timestamptz is not null`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId), new Date().toISOString()]);
    if (!row) throw new Error(`The organization ${orgId} is gone`);
    return row;
  }
}

const limitIn = ({ quota_limits: given }: Record<string, unknown>, name: QuotaName): number =>
  (given as QuotaLimits)[name] ?? quotas[name].limit;
