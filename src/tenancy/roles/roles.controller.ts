import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateRole, ListRoles, ThisRole, UpdateRole } from '../../organizations/role.dto.js';
import { createRole, deleteRole, listRoles, updateRole } from './roles.operations.js';
import { RolesService } from './roles.service.js';

@Controller()
export class RolesController {
  constructor(private readonly roles: RolesService) {}

  @Handles(listRoles) list(input: ListRoles, caller: Caller) {
    return this.roles.list(caller, input);
  }

  @Handles(createRole) create(input: CreateRole, caller: Caller) {
    return this.roles.create(caller, input);
  }

  @Handles(updateRole) update(input: UpdateRole, caller: Caller) {
    return this.roles.update(caller, input);
  }

  @Handles(deleteRole) delete({ roleId }: ThisRole, caller: Caller) {
    return this.roles.delete(caller, roleId);
  }
}
