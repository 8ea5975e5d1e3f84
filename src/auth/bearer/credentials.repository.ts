import { Inject, Injectable } from '@nestjs/common';
import { scopeSet } from '#access';
import { BatchLoader, idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { CONFIG, type Config } from '../../platform/config/app.config.js';
import { firstLookUpMs } from '../../platform/health/first-look-up.js';
import type { MemberStatus } from '../../tenancy/members/member.dto.js';
import { rulesAbout } from '../approval-rules/rules-query.js';
import type { Origin } from './origin.js';

/** The result of one lookup of an API key: the key, its machine member and the organization in their current state. */
export interface KeyRow {
  hash: Buffer;
  orgId: string;
  id: string;
  memberId: string;
  applicationId: string | null;
  allowedAddresses: string[] | null;
  scopes: ReadonlySet<string>;
  propertyIds: string[] | null;
  memberPropertyIds: string[] | null;
  ratePerMinute: number;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  memberStatus: MemberStatus;
  orgStatus: 'active' | 'suspended' | 'closed';
  rulesAbout: string[];
}

const ids = {
  org: idColumn('org'),
  key: idColumn('key'),
  member: idColumn('member'),
  grant: idColumn('grant'),
  property: idColumn('property'),
};

/** The hashes come from a subquery, as those of tokens do, so that the plan is kept: making one takes longer than it runs. */
const keysByHash = `
  select k.hash, k.org_id, k.id, k.member_id, k.application_id, k.allowed_addresses,
         array_to_string(k.scopes, ' ') as scopes, k.property_ids, m.property_ids as member_property_ids,
         k.rate_per_minute, k.expires_at, k.revoked_at, k.last_used_at, m.status as member_status, o.status as org_status,
         ${rulesAbout}
    from api_keys k
    join members m on m.org_id = k.org_id and m.id = k.member_id
    join organizations o on o.id = k.org_id
   where k.hash = any(array(select unnest($1::bytea[])))`;

/**
 * Credentials are looked up by their hash for every request and never cached, so a revocation takes effect with the
 * next request. Lookups that arrive while one is in flight share the next query.
 */
@Injectable()
export class CredentialsRepository {
  private readonly keys = new BatchLoader((hashes: readonly Buffer[]) => this.findKeys(hashes));
  /** Every request starts with a lookup, so an unresponsive database is reported here, within a second. */
  private readonly withinMs: number;

  constructor(
    private readonly database: SystemDatabase,
    @Inject(CONFIG) config: Config,
  ) {
    this.withinMs = firstLookUpMs(config);
  }

  findKey(hash: Buffer): Promise<KeyRow | undefined> {
    return this.keys.load(hash);
  }

  async touchKey({ orgId, id }: KeyRow, now: string, { address, agent }: Origin): Promise<void> {
    const text = `update api_keys set last_used_at = $3, last_used_from = $4, last_used_agent = $5
      where org_id = $1 and id = $2`;
    await this.database.rows(text, [uuidIn(orgId), uuidIn(id), now, address, agent]);
  }

  private async findKeys(hashes: readonly Buffer[]): Promise<(KeyRow | undefined)[]> {
    const rows = await this.database.rows(keysByHash, [hashes], this.withinMs);
    const found = new Map(rows.map((row) => [(row.hash as Buffer).toString('base64'), row]));
    return hashes.map((hash) => {
      const row = found.get(hash.toString('base64'));
      return row && readKeyRow(row);
    });
  }
}

const readKeyRow = (row: Record<string, unknown>): KeyRow => ({
  hash: row.hash as Buffer,
  orgId: ids.org.from(row.org_id) as string,
  id: ids.key.from(row.id) as string,
  memberId: ids.member.from(row.member_id) as string,
  applicationId: ids.grant.from(row.application_id) as string | null,
  allowedAddresses: row.allowed_addresses as string[] | null,
  scopes: scopeSet(row.scopes as string),
  propertyIds: ids.property.from(row.property_ids) as string[] | null,
  memberPropertyIds: ids.property.from(row.member_property_ids) as string[] | null,
  ratePerMinute: row.rate_per_minute as number,
  expiresAt: row.expires_at as string | null,
  revokedAt: row.revoked_at as string | null,
  lastUsedAt: row.last_used_at as string | null,
  memberStatus: row.member_status as MemberStatus,
  orgStatus: row.org_status as KeyRow['orgStatus'],
  rulesAbout: (row.rules_about ?? []) as string[],
});
