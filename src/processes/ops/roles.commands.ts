import { IntersectionType, one } from '#operations';
import { CreateRole, RoleView } from '../../tenancy/roles/role.dto.js';
import { RolesService } from '../../tenancy/roles/roles.service.js';
import { command } from './command.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class NewRole extends IntersectionType(InOrganization, CreateRole) {}

export const roleCommands = [
  command({
    name: 'role create',
    description: 'Creates a role.',
    input: NewRole,
    output: one(RoleView),
    run: (service, { org, ...input }) =>
      service.get(Operator).inOrganization(org, (caller) => service.get(RolesService).create(caller, input)),
  }),
];
