import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { type BuiltInRole, permissionsOf } from '../../platform/callers/permissions.js';
import type { Decider } from './may-decide.js';

/** A member who gets letters. */
export interface MailedDecider extends Decider {
  readonly memberId: string;
  readonly userId: string;
  readonly email: string;
}

const ids = { member: idColumn('member'), user: idColumn('user'), property: idColumn('property') };

/** The people of an organization, with what they may do there at this moment. */
/** A key may have been made with another one, and that one by a person. */
const maker = `
  with recursive line as (
    select * from api_keys where org_id = $1 and id = $2
    union
    select k.* from line l join api_keys k on k.org_id = l.org_id and k.id = l.made_with)
  select m.user_id from line l join members m on m.org_id = l.org_id and m.id = l.created_by
   where m.user_id is not null limit 1`;

@Injectable()
export class DecidersRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The person who made a key. */
  async makerOf(orgId: string, keyId: string): Promise<string | undefined> {
    const [row] = await this.database.rows(orgId, maker, [uuidIn(orgId), uuidIn(keyId)]);
    return row && (ids.user.from(row.user_id) as string);
  }

  async all(orgId: string): Promise<MailedDecider[]> {
    const rows = await this.database.rows(
      orgId,
      `select m.id, m.user_id, m.email, m.property_ids, r.built_in, r.permissions
         from members m join roles r on r.org_id = m.org_id and r.id = m.role_id
        where m.org_id = $1 and m.status = 'active' and m.kind = 'user' and m.user_id is not null
        order by m.id`,
      [uuidIn(orgId)],
    );
    return rows.map((row) => ({
      memberId: ids.member.from(row.id) as string,
      userId: ids.user.from(row.user_id) as string,
      email: row.email as string,
      propertyIds: ids.property.from(row.property_ids) as string[] | null,
      permissions: new Set(
        permissionsOf({ builtIn: row.built_in as BuiltInRole | null, permissions: row.permissions as string[] }),
      ),
    }));
  }
}
