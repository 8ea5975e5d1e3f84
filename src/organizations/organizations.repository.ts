import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import type { Organization } from './organization.entity.js';

/** The organization itself: its row is the tenant, so it is read by its own id. */
@Injectable()
export class OrganizationsRepository {
  constructor(private readonly database: TenantDatabase) {}

  async get(orgId: string): Promise<Pick<Organization, 'id' | 'name' | 'region' | 'requireTwoFactor'>> {
    const [row] = await this.database.rows(
      orgId,
      `select name, region, require_two_factor as "requireTwoFactor" from organizations where id = $1`,
      [uuidIn(orgId)],
    );
    if (!row) throw new Error(`The organization ${orgId} is gone`);
    return { id: orgId, ...(row as Pick<Organization, 'name' | 'region' | 'requireTwoFactor'>) };
  }
}
