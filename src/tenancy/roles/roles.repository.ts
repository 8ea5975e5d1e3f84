import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, Table, TenantDatabase, uuidIn, violates } from '#persistence';
import type { ListRoles } from './role.dto.js';
import { Role } from './role.entity.js';
import { roleInUse, roleNameTaken } from './roles.errors.js';

@Injectable()
export class RolesRepository {
  private readonly table: Table<Role>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Role, cursors);
  }

  find(orgId: string, id: string): Promise<Role | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)));
  }

  findLocked(orgId: string, id: string): Promise<Role | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for key share');
  }

  findByNameOrId(orgId: string, nameOrId: string): Promise<Role | undefined> {
    const where = this.table
      .where(orgId)
      .and(`(name = ? or replace(id::text, '-', '') = ?)`, nameOrId, uuidIn(nameOrId));
    return this.table.findOne(orgId, where);
  }

  /** The role, locked until the transaction ends, so that changes apply to what was read. */
  findForChange(orgId: string, id: string): Promise<Role | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(id)), 'for update');
  }

  list(orgId: string, { limit, cursor, sort }: ListRoles): Promise<Page<Role>> {
    return this.table.page(orgId, this.table.where(orgId), { limit, cursor, sort });
  }

  insert(role: Role): Promise<Role> {
    return refusing(role.name, () => this.table.insert(role));
  }

  update(role: Role, changes: Partial<Role>): Promise<Role> {
    return refusing(changes.name ?? role.name, () => this.table.update(role, changes));
  }

  /** @throws conflict_error if a member has it; the foreign key decides, so no member can be added concurrently. */
  async delete({ orgId, id }: Role): Promise<void> {
    try {
      await this.table.delete(orgId, id);
    } catch (error) {
      if (violates(error, 'members_org_id_role_id_fkey')) throw roleInUse();
      throw error;
    }
  }
}

async function refusing(name: string, write: () => Promise<Role>): Promise<Role> {
  try {
    return await write();
  } catch (error) {
    if (violates(error, 'roles_name')) throw roleNameTaken(name);
    throw error;
  }
}
