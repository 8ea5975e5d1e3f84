import { Inject, Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import type { Member } from './member.entity.js';
import { type BuiltInRole, offeredOf, permissionsOf } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';

/** A machine has the scopes of its keys that work, or would work again once it is reinstated. `$3` is the time. */
const permissionsOfMember = `
  select r.built_in, r.permissions,
         array(select distinct unnest(k.scopes) from api_keys k
                where k.org_id = m.org_id and k.member_id = m.id
                  and k.revoked_at is null and (k.expires_at is null or k.expires_at > $3)) as scopes
    from members m
    left join roles r on r.org_id = m.org_id and r.id = m.role_id
   where m.org_id = $1 and m.id = $2`;

@Injectable()
export class MemberPermissionsRepository {
  constructor(
    private readonly database: TenantDatabase,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * The permissions of a member, or those that they would have once invited or reinstated: from the role, or from the
   * keys of a machine.
   */
  async of({ orgId, id }: Member): Promise<readonly string[]> {
    const time = new Date().toISOString();
    const [row] = await this.database.rows(orgId, permissionsOfMember, [uuidIn(orgId), uuidIn(id), time]);
    const { built_in: builtIn, permissions, scopes } = row as unknown as PermissionsRow;
    return offeredOf(permissions ? permissionsOf({ builtIn, permissions }) : scopes, this.config.environment);
  }
}

interface PermissionsRow {
  built_in: BuiltInRole | null;
  permissions: string[] | null;
  scopes: string[];
}
