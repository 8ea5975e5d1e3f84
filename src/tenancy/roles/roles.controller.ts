import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateRole, ListRoles, ThisRole, UpdateRole } from './role.dto.js';
import { createRole, deleteRole, listRoles, updateRole } from './roles.operations.js';
import { RolesService } from './roles.service.js';

@Controller()
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Handles(listRoles) list(caller: Caller, input: ListRoles) {
    return this.roles.list(caller, input);
  }

  @Handles(createRole) create(caller: Caller, input: CreateRole) {
    return this.roles.create(caller, input);
  }

  @Handles(updateRole) update(caller: Caller, input: UpdateRole) {
    return this.roles.update(caller, input);
  }

  @Handles(deleteRole) delete(caller: Caller, { roleId }: ThisRole) {
    return this.roles.delete(caller, roleId);
  }
}
