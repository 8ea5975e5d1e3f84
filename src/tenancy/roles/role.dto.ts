import { Id, Int, IntersectionType, ListOf, OneOf, PageOf, PartialType, Text, Timestamp } from '#operations';
import { type BuiltInRole, builtInRoles, permissionNames } from '../../platform/callers/permissions.js';

export class CreateRole {
  @Text({ description: 'Name of the role, unique in the organization.', max: 100 })
  name: string;

  @ListOf(
    { oneOf: permissionNames },
    {
      description: 'Permissions of the role; you cannot grant more than you have.',
      min: 1,
      max: permissionNames.length,
    },
  )
  permissions: string[];
}

export class ThisRole {
  @Id('role', { description: 'Role id (role_…), from listRoles.' }) roleId: string;
}

export class UpdateRole extends IntersectionType(ThisRole, PartialType(CreateRole)) {}

export class ListRoles extends PageOf(['createdAt']) {}

export class RoleView {
  @Id('role', { description: 'Role id (role_…).' }) id: string;
  @Text({ description: 'Name of the role.', max: 100 }) name: string;
  @OneOf(builtInRoles, {
    description: 'Which built-in role this is; built-in roles cannot be changed.',
    nullable: true,
  })
  builtIn: BuiltInRole | null;
  @ListOf({ text: 60 }, { description: 'Permissions of the role.', max: permissionNames.length }) permissions: string[];
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the role was created.' }) createdAt: string;
  @Timestamp({ description: 'When the role was last changed.' }) updatedAt: string;
}
