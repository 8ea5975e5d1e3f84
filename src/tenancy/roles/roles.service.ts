import { Inject, Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { deletionOf, type DeletionView, type Page } from '#operations';
import { newId } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { roleCreated, roleDeleted, roleUpdated } from './roles.events.js';
import { isGuarded, offeredOf, permissionsOf } from '../../platform/callers/permissions.js';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import type { CreateRole, ListRoles, RoleView, UpdateRole } from './role.dto.js';
import { Role } from './role.entity.js';
import { permissionsBeyondCaller, permissionsToKeep, roleIsBuiltIn, roleNotFound } from './roles.errors.js';
import { RolesRepository } from './roles.repository.js';

/** Roles: what members may do. Nobody grants permissions that they lack, or removes guarded ones that they lack. */
@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly events: EventsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(caller: Caller, input: ListRoles): Promise<Page<RoleView>> {
    const { items, ...page } = await this.roles.list(caller.orgId, input);
    return { ...page, items: items.map((role) => this.shown(role)) };
  }

  async create(caller: Caller, { name, permissions }: CreateRole): Promise<RoleView> {
    refuseBeyond(caller, permissions);
    const now = new Date().toISOString();
    const role = Object.assign(new Role(), {
      orgId: caller.orgId,
      id: newId('role'),
      name,
      builtIn: null,
      permissions: [...permissions].sort(),
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await this.roles.insert(role);
    this.events.record(caller, roleCreated, role);
    return this.shown(role);
  }

  async update(caller: Caller, { roleId, name, permissions }: UpdateRole): Promise<RoleView> {
    const role = await this.forChange(caller, roleId);
    if (permissions) {
      refuseBeyond(
        caller,
        permissions.filter((permission) => !role.permissions.includes(permission)),
      );
      refuseStripping(
        caller,
        this.offered(role).filter((permission) => !permissions.includes(permission)),
      );
    }
    const changes = { ...(name && { name }), ...(permissions && { permissions: [...permissions].sort() }) };
    const before = await this.roles.update(role, changes);
    this.events.record(caller, roleUpdated, role, before);
    return this.shown(role);
  }

  async delete(caller: Caller, roleId: string): Promise<DeletionView> {
    const role = await this.forChange(caller, roleId);
    await this.roles.delete(role);
    this.events.record(caller, roleDeleted, null, role);
    return deletionOf(roleId);
  }

  /**
   * A role that the caller wants to give to a member.
   *
   * @throws not_found_error; authorization_error if it has permissions that the caller lacks.
   */
  async grantable(caller: Caller, roleId: string): Promise<Role> {
    const role = await this.roles.findLocked(caller.orgId, roleId);
    if (!role) throw roleNotFound();
    refuseBeyond(caller, this.offered(role));
    return role;
  }

  /** Operators' commands name a role either way. */
  async findByNameOrId(caller: Caller, nameOrId: string): Promise<Role> {
    const role = await this.roles.findByNameOrId(caller.orgId, nameOrId);
    if (!role) throw roleNotFound();
    return role;
  }

  /** A built-in role's permissions are in the code, not in its row. */
  private shown(role: Role): RoleView {
    return { ...role, permissions: this.offered(role).sort() };
  }

  private offered(role: Role): string[] {
    return offeredOf(permissionsOf(role), this.config.environment);
  }

  private async forChange(caller: Caller, roleId: string): Promise<Role> {
    const role = await this.roles.findForChange(caller.orgId, roleId);
    if (!role) throw roleNotFound();
    expectVersion(caller, role);
    if (role.builtIn) throw roleIsBuiltIn(role.builtIn);
    return role;
  }
}

function refuseBeyond(caller: Caller, permissions: readonly string[]): void {
  const lacking = permissions.filter((permission) => !caller.permissions.has(permission));
  if (lacking.length > 0) throw permissionsBeyondCaller(lacking);
}

/** Prevents a caller from doing to all holders of a role, by changing it, what it may not do to each of them. */
function refuseStripping(caller: Caller, permissions: readonly string[]): void {
  const lacking = permissions.filter((permission) => isGuarded(permission) && !caller.permissions.has(permission));
  if (lacking.length > 0) throw permissionsToKeep(lacking);
}
