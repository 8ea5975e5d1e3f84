import { Injectable } from '@nestjs/common';
import type { DueRow } from '#jobs';
import { recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { permissionNames } from '../../platform/callers/permissions.js';
import { builtInPermissions, joinMaker } from './maker-permissions.js';

const lost = `array(select unnest(w.scopes) except select unnest(maker.permitted) order by 1)`;

const hasChanged = `w.maker_member_id is not null and w.status <> 'disabled' and w.missing_scopes <> ${lost}`;
export const soonestChange = `(
  select $1::timestamptz from webhook_endpoints w ${joinMaker('$1::timestamptz', `'${builtInPermissions}'`)}
   where ${hasChanged} limit 1)`;

/** The permissions that endpoints need and their makers have lost. */
@Injectable()
export class EndpointPermissionsRepository {
  constructor(
    private readonly system: SystemDatabase,
    private readonly tenant: TenantDatabase,
  ) {}

  /** Endpoints of all organizations whose makers have lost permissions or regained them. */
  async changed(now: string, limit: number): Promise<DueRow[]> {
    const rows = await this.system.rows(
      `select w.org_id, w.id from webhook_endpoints w ${joinMaker('$1::timestamptz', '$2')}
        where ${hasChanged} limit $3`,
      [now, builtInPermissions, limit],
    );
    return rows.map(recordOf('endpoint'));
  }

  /** The permissions that the maker of one endpoint lacks now. */
  async missing({ orgId, id }: DueRow, now: string): Promise<string[]> {
    const [row] = await this.tenant.rows(
      orgId,
      `select ${lost} as missing from webhook_endpoints w ${joinMaker('$3::timestamptz', '$4')}
        where w.org_id = $1 and w.id = $2 and w.maker_member_id is not null`,
      [uuidIn(orgId), uuidIn(id), now, builtInPermissions],
    );
    return (row?.missing as string[] | undefined) ?? [];
  }

  /**
   * The current permissions of the maker of one endpoint; everything for an endpoint without a maker, which is sent all
   * events.
   */
  async permitted({ orgId, id }: DueRow, now: string): Promise<ReadonlySet<string>> {
    const [row] = await this.tenant.rows(
      orgId,
      `select maker.permitted from webhook_endpoints w ${joinMaker('$3::timestamptz', '$4')}
        where w.org_id = $1 and w.id = $2`,
      [uuidIn(orgId), uuidIn(id), now, builtInPermissions],
    );
    return new Set((row?.permitted as string[] | null) ?? permissionNames);
  }

  /** The addresses of the organization's owners. */
  async ownersOf(orgId: string): Promise<string[]> {
    const rows = await this.tenant.rows(
      orgId,
      `select m.email from members m join roles r on r.org_id = m.org_id and r.id = m.role_id
        where m.org_id = $1 and r.built_in = 'owner' and m.status = 'active' and m.email is not null order by m.id`,
      [uuidIn(orgId)],
    );
    return rows.map(({ email }) => email as string);
  }
}
