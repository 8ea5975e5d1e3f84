import { Inject, Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type BuiltInRole, offeredOf, permissionsOf } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';

/** A member for whom the service acts without a request, with their current permissions. */
export interface ActingMember {
  memberId: string;
  userId?: string;
  permissions: ReadonlySet<string>;
  propertyIds: readonly string[] | null;
  secondFactorMissing: boolean;
}

const ids = { user: idColumn('user'), property: idColumn('property') };

/**
 * A machine may do what its keys may that still work and are limited to no property: their scopes say it, not a role.
 * `$3` is the time.
 */
const acting = `
  select m.user_id, m.property_ids, r.built_in, r.permissions,
         o.require_two_factor and m.user_id is not null and not u.has_second_factor as second_factor_missing,
         array(select distinct unnest(k.scopes) from api_keys k
                where k.org_id = m.org_id and k.member_id = m.id and m.kind = 'machine' and k.property_ids is null
                  and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)) as scopes
    from members m
    join organizations o on o.id = m.org_id
    left join users u on u.id = m.user_id
    left join roles r on r.org_id = m.org_id and r.id = m.role_id
   where m.org_id = $1 and m.id = $2 and m.status = 'active' and o.status = 'active'`;

/** Live permissions of members; people have their second factor above the organizations. */
@Injectable()
export class ActingMembersRepository {
  constructor(
    private readonly database: SystemDatabase,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Undefined if the member does not exist or may not act. */
  async find(orgId: string, memberId: string): Promise<ActingMember | undefined> {
    const [row] = await this.database.rows(acting, [uuidIn(orgId), uuidIn(memberId), new Date().toISOString()]);
    if (!row) return undefined;
    const role = row.permissions
      ? { builtIn: row.built_in as BuiltInRole | null, permissions: row.permissions as string[] }
      : undefined;
    return {
      memberId,
      userId: (ids.user.from(row.user_id) as string | null) ?? undefined,
      permissions: new Set(offeredOf(role ? permissionsOf(role) : (row.scopes as string[]), this.config.environment)),
      propertyIds: ids.property.from(row.property_ids) as string[] | null,
      secondFactorMissing: row.second_factor_missing as boolean,
    };
  }
}
