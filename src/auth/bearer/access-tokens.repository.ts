import { Inject, Injectable } from '@nestjs/common';
import { BatchLoader, idColumn, uuidIn } from '#persistence';
import type { OAuthTokenKind } from '#regions';
import { SystemDatabase } from '#system-database';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import type { MemberStatus } from '../../tenancy/members/member.dto.js';
import type { BuiltInRole } from '../../platform/callers/permissions.js';
import type { AskBefore } from '#access';
import { rulesAbout } from '../approval-rules/rules-query.js';
import { firstLookUpMs } from '../../platform/health/first-look-up.js';

/**
 * The result of one lookup of a token: the token, its approval, the person and the organization in their current state.
 */
export interface TokenRow {
  hash: Buffer;
  kind: OAuthTokenKind;
  scope: string;
  audience: string;
  expiresAt: string;
  grantId: string;
  orgId: string;
  clientId: string;
  userId: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  orgStatus: 'active' | 'suspended' | 'closed';
  requiresTwoFactor: boolean;
  hasSecondFactor: boolean;
  memberId: string;
  memberStatus: MemberStatus;
  propertyIds: string[] | null;
  role: { builtIn: BuiltInRole | null; permissions: string[] } | null;
  rulesAbout: string[];
  askBefore: AskBefore | null;
}

const ids = { org: idColumn('org'), grant: idColumn('grant'), user: idColumn('user'), member: idColumn('member') };
const propertyIds = idColumn('property');

/**
 * A person who left and came back has two memberships; the current one counts. The hashes come from a subquery so that
 * no plan knows their number: with one hash, a custom plan always looks cheaper, and planning so many joins takes three
 * times as long as running them.
 */
const tokensByHash = `
  select t.hash, t.kind, t.scope, t.audience, t.expires_at, g.id as grant_id, g.org_id, g.client_id, g.user_id,
         g.last_used_at, g.revoked_at, o.status as org_status, o.require_two_factor, u.has_second_factor,
         m.id as member_id, m.status as member_status, m.property_ids, r.built_in, r.permissions,
         g.ask_before, ${rulesAbout}
    from oauth_tokens t
    join oauth_grants g on g.org_id = t.org_id and g.id = t.grant_id
    join organizations o on o.id = g.org_id
    join users u on u.id = g.user_id
    join lateral (
      select * from members where org_id = g.org_id and user_id = g.user_id order by status = 'removed', id desc limit 1
    ) m on true
    left join roles r on r.org_id = m.org_id and r.id = m.role_id
   where t.hash = any(array(select unnest($1::bytea[])))`;

/**
 * Tokens are looked up by their hash for every request and never cached, so a revocation or a change of permissions
 * takes effect with the next request. Lookups that arrive while one is in flight share the next query.
 */
@Injectable()
export class AccessTokensRepository {
  private readonly tokens = new BatchLoader((hashes: readonly Buffer[]) => this.findAll(hashes));

  /** As for keys: an unresponsive database is reported within a second. */
  private readonly withinMs: number;

  constructor(
    private readonly database: SystemDatabase,
    @Inject(CONFIG) config: Config,
  ) {
    this.withinMs = firstLookUpMs(config);
  }

  find(hash: Buffer): Promise<TokenRow | undefined> {
    return this.tokens.load(hash);
  }

  async touch({ orgId, grantId }: TokenRow, now: string, address: string | null): Promise<void> {
    const text = 'update oauth_grants set last_used_at = $3, last_used_from = $4 where org_id = $1 and id = $2';
    await this.database.rows(text, [uuidIn(orgId), uuidIn(grantId), now, address]);
  }

  private async findAll(hashes: readonly Buffer[]): Promise<(TokenRow | undefined)[]> {
    const rows = await this.database.rows(tokensByHash, [hashes], this.withinMs);
    const found = new Map(rows.map((row) => [(row.hash as Buffer).toString('base64'), row]));
    return hashes.map((hash) => {
      const row = found.get(hash.toString('base64'));
      return row && readTokenRow(row);
    });
  }
}

const readTokenRow = (row: Record<string, unknown>): TokenRow => ({
  hash: row.hash as Buffer,
  kind: row.kind as OAuthTokenKind,
  scope: row.scope as string,
  audience: row.audience as string,
  expiresAt: row.expires_at as string,
  grantId: ids.grant.from(row.grant_id) as string,
  orgId: ids.org.from(row.org_id) as string,
  clientId: row.client_id as string,
  userId: ids.user.from(row.user_id) as string,
  lastUsedAt: row.last_used_at as string | null,
  revokedAt: row.revoked_at as string | null,
  orgStatus: row.org_status as TokenRow['orgStatus'],
  requiresTwoFactor: row.require_two_factor as boolean,
  hasSecondFactor: row.has_second_factor as boolean,
  memberId: ids.member.from(row.member_id) as string,
  memberStatus: row.member_status as MemberStatus,
  propertyIds: propertyIds.from(row.property_ids) as string[] | null,
  role: row.permissions
    ? { builtIn: row.built_in as BuiltInRole | null, permissions: row.permissions as string[] }
    : null,
  rulesAbout: (row.rules_about ?? []) as string[],
  askBefore: row.ask_before as AskBefore | null,
});
