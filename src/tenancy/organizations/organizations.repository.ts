import { Injectable } from '@nestjs/common';
import { changesTo, snapshotOf, TenantDatabase, uuidIn } from '#persistence';
import { Organization } from './organization.entity.js';

const columns = `
  name, slug, region, timezone, currency, locales, status, version, require_two_factor as "requireTwoFactor",
  remote_control_enabled as "remoteControlEnabled",
  self_registered_applications as "selfRegisteredApplications", allowed_client_ids as "allowedClientIds",
  model_calls_per_minute as "modelCallsPerMinute", max_key_days as "maxKeyDays", quota_limits as "quotaLimits",
  created_at as "createdAt", updated_at as "updatedAt"`;

/** The organization itself: its row is the tenant, so it is read by its own id. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: TenantDatabase) {}

  get(orgId: string): Promise<Organization> {
    return this.read(orgId, '');
  }

  /** The organization, locked until the transaction ends, so that changes apply to what was read. */
  getForChange(orgId: string): Promise<Organization> {
    return this.read(orgId, 'for no key update');
  }

  /**
   * Like `Table.update`.
   *
   * @returns the organization as it was before; the same object if nothing changed.
   */
  async update(organization: Organization, changes: Partial<Organization>): Promise<Organization> {
    const differing = changesTo(this.database.dataSource.getMetadata(Organization), organization, changes);
    if (Object.keys(differing).length === 0) return organization;
    const before = snapshotOf(organization);
    const stamped = { ...differing, version: organization.version + 1, updatedAt: new Date().toISOString() };
    await this.database.execute(this.database.builder.update(Organization).set(stamped).where({ id: organization.id }));
    Object.assign(organization, stamped);
    return before;
  }

  private async read(orgId: string, tail: string): Promise<Organization> {
    const text = `select ${columns} from organizations where id = $1 ${tail}`;
    const [row] = await this.database.rows(orgId, text, [uuidIn(orgId)]);
    if (!row) throw new Error(`The organization ${orgId} is gone`);
    return Object.assign(new Organization(), row, { id: orgId });
  }
}
