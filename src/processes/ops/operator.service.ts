import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import { idPattern } from '#operations';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { OrganizationView } from '../../tenancy/organizations/organization.dto.js';
import { operatorFor } from '../../platform/callers/operator.js';

/** Records that a command identifies only by their id. */
const tables = { member: 'members', key: 'api_keys', rule: 'approval_rules' } as const;

/** The actor of an organization that has no owner yet. */
const nobody = `member_${'0'.repeat(32)}`;

const org = idColumn('org');
const member = idColumn('member');

/** Brings a command into the organization that it is about: in one transaction, with every permission. */
@Injectable()
export class Operator {
  constructor(
    private readonly system: SystemDatabase,
    private readonly tenant: TenantDatabase,
  ) {}

  /**
   * @param name the organization's id or slug.
   * @throws not_found_error
   */
  async inOrganization<T>(name: string, work: (caller: Caller) => Promise<T>): Promise<T> {
    return await this.work(await this.organizationCalled(name), work);
  }

  /**
   * @param name its id or slug.
   * @returns its id.
   * @throws not_found_error
   */
  async organizationCalled(name: string): Promise<string> {
    const [column, value] = idPattern('org').test(name) ? ['id', uuidIn(name)] : ['slug', name];
    const [row] = await this.system.rows(`select id from organizations where ${column} = $1`, [value]);
    if (!row) throw noSuch(`organization ${name}`);
    return org.from(row.id) as string;
  }

  /** @throws not_found_error */
  async inOrganizationOf<T>(kind: keyof typeof tables, id: string, work: (caller: Caller) => Promise<T>): Promise<T> {
    const [row] = await this.system.rows(`select org_id from ${tables[kind]} where id = $1`, [uuidIn(id)]);
    if (!row) throw noSuch(id);
    return await this.work(org.from(row.org_id) as string, work);
  }

  /** All organizations, by name. */
  async organizations(): Promise<Pick<OrganizationView, 'id' | 'name' | 'slug' | 'createdAt'>[]> {
    const rows = await this.system.rows('select id, name, slug, created_at from organizations order by name, id');
    return rows.map((row) => ({
      id: org.from(row.id) as string,
      name: row.name as string,
      slug: row.slug as string,
      createdAt: row.created_at as string,
    }));
  }

  /** Records name the first owner as the one who acted, and the operator's command as the credential. */
  private async work<T>(orgId: string, work: (caller: Caller) => Promise<T>): Promise<T> {
    const [owner] = await this.system.rows(
      `select m.id from members m join roles r on r.org_id = m.org_id and r.id = m.role_id
        where m.org_id = $1 and r.built_in = 'owner' and m.status = 'active' order by m.id limit 1`,
      [uuidIn(orgId)],
    );
    const memberId = owner ? (member.from(owner.id) as string) : nobody;
    return await this.tenant.transaction(orgId, () => work(operatorFor(orgId, memberId)));
  }
}

const noSuch = (what: string): ServiceError => new ServiceError({ status: 404, message: `The ${what} was not found.` });
