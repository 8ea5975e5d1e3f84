import { Injectable } from '@nestjs/common';
import type { ApiKeyCredential, Caller, OAuthCredential } from '#access';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { ActingMembersRepository } from './acting-members.repository.js';
import { type BuiltInRole, permissionsOf } from '../../platform/callers/permissions.js';

const properties = idColumn('property');

/**
 * The member, and what they acted through: `$3` the key, or what took over from it by rotation; `$4` the application,
 * whose person may have approved it again. `$5` is the time.
 */
const standing = `
  with recursive line as (
    select * from api_keys where org_id = $1 and id = $3
    union all
    select k.* from line l join api_keys k on k.org_id = l.org_id and k.id = l.successor_id)
  select m.property_ids, r.built_in, r.permissions, k.scopes as key_scopes, k.property_ids as key_property_ids,
         g.scopes as grant_scopes
    from members m
    join organizations o on o.id = m.org_id
    left join users u on u.id = m.user_id
    left join roles r on r.org_id = m.org_id and r.id = m.role_id
    left join lateral (
      select scopes, property_ids from line
       where revoked_at is null and (expires_at is null or expires_at > $5)
       order by created_at desc limit 1) k on true
    left join oauth_grants g
      on g.org_id = m.org_id and g.user_id = m.user_id and g.client_id = $4 and g.revoked_at is null
   where m.org_id = $1 and m.id = $2 and m.status = 'active' and o.status = 'active'
     and not (o.require_two_factor and $4::text is not null and not coalesce(u.has_second_factor, false))`;

/** What somebody may do and see at this moment. */
interface Standing {
  permissions: ReadonlySet<string>;
  limits: (readonly string[] | null)[];
}

/** Looks again at callers in whose name something is done after their request, before it is written. */
@Injectable()
export class StandingCallers {
  constructor(
    private readonly database: SystemDatabase,
    private readonly members: ActingMembersRepository,
  ) {}

  /**
   * The caller with those permissions and properties of the time of the request that remain now; undefined if the
   * credential has ended, or its member or organization may not act.
   */
  async now(caller: Caller): Promise<Caller | undefined> {
    const { credential } = caller;
    if (credential.kind === 'operator' || credential.kind === 'service') return caller;
    const left =
      credential.kind === 'api-key' || credential.kind === 'oauth'
        ? await this.ofCredential(caller, credential)
        : await this.ofMember(caller);
    if (!left) return undefined;
    return {
      ...caller,
      permissions: new Set([...caller.permissions].filter((permission) => left.permissions.has(permission))),
      propertyIds: left.limits.reduce(bothOf, caller.propertyIds),
    };
  }

  /** The same for what needs one permission at one property, or at none in particular. */
  async permitted(caller: Caller, permission: string, propertyId: string | null): Promise<Caller | undefined> {
    const now = await this.now(caller);
    if (!now?.permissions.has(permission)) return undefined;
    return propertyId && now.propertyIds && !now.propertyIds.includes(propertyId) ? undefined : now;
  }

  private async ofMember({ orgId, memberId }: Caller): Promise<Standing | undefined> {
    const member = await this.members.find(orgId, memberId);
    if (!member || member.secondFactorMissing) return undefined;
    return { permissions: member.permissions, limits: [member.propertyIds] };
  }

  private async ofCredential(
    { orgId, memberId }: Caller,
    credential: ApiKeyCredential | OAuthCredential,
  ): Promise<Standing | undefined> {
    const isKey = credential.kind === 'api-key';
    const [row] = await this.database.rows(standing, [
      uuidIn(orgId),
      uuidIn(memberId),
      isKey ? uuidIn(credential.id) : null,
      isKey ? null : credential.clientId,
      new Date().toISOString(),
    ]);
    const scopes = row && ((isKey ? row.key_scopes : row.grant_scopes) as string[] | null);
    if (!scopes) return undefined;
    const limits = [row.property_ids, row.key_property_ids].map((ids) => properties.from(ids) as string[] | null);
    if (isKey) return { permissions: new Set(scopes), limits };
    const builtIn = row.built_in as BuiltInRole | null;
    const live = new Set(permissionsOf({ builtIn, permissions: (row.permissions as string[] | null) ?? [] }));
    return { permissions: new Set(scopes.filter((scope) => live.has(scope))), limits };
  }
}

/** The intersection of two property limits; null means no limit. */
const bothOf = (a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null =>
  a && b ? a.filter((id) => b.includes(id)) : (a ?? b);
