import { Inject, Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type BuiltInRole, offeredOf, permissionsOf } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';

/** One organization of a person, with the current permissions of their role there, as pages offer them. */
export interface Membership {
  readonly orgId: string;
  readonly organization: string;
  readonly slug: string;
  readonly timezone: string;
  readonly requireTwoFactor: boolean;
  readonly memberId: string;
  readonly role: string;
  readonly permissions: readonly string[];
  /** The properties the person may see there; null for all. */
  readonly propertyIds: readonly string[] | null;
}

const ids = { org: idColumn('org'), member: idColumn('member'), property: idColumn('property') };

/** A person's organizations: above them all, so with the system role. */
@Injectable()
export class MembershipsRepository {
  constructor(
    private readonly database: SystemDatabase,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** The active ones, by name. */
  async of(userId: string): Promise<Membership[]> {
    const rows = await this.database.rows(
      `select o.id as org_id, o.name as organization, o.slug, o.timezone, o.require_two_factor, m.id as member_id, m.property_ids,
              r.name as role, r.built_in, r.permissions
         from members m
         join organizations o on o.id = m.org_id
         join roles r on r.org_id = m.org_id and r.id = m.role_id
        where m.user_id = $1 and m.status = 'active' and o.status = 'active'
        order by o.name, o.id`,
      [uuidIn(userId)],
    );
    const permitted = (row: (typeof rows)[number]): readonly string[] =>
      permissionsOf({ builtIn: row.built_in as BuiltInRole | null, permissions: row.permissions as string[] });
    return rows.map((row) => ({
      orgId: ids.org.from(row.org_id) as string,
      organization: row.organization as string,
      slug: row.slug as string,
      timezone: row.timezone as string,
      requireTwoFactor: row.require_two_factor as boolean,
      memberId: ids.member.from(row.member_id) as string,
      role: row.role as string,
      permissions: offeredOf(permitted(row), this.config.environment),
      propertyIds: ids.property.from(row.property_ids) as string[] | null,
    }));
  }
}
