import { DeletionView, one, operation, page } from '#operations';
import { CreateRole, ListRoles, RoleView, ThisRole, UpdateRole } from './role.dto.js';
import { permissionsToKeep, roleInUse, roleIsBuiltIn, roleNameTaken } from './roles.errors.js';

export const listRoles = operation({
  name: 'listRoles',
  route: 'GET /roles',
  scope: 'members:read',
  effect: 'read',
  reach: 'organization',
  title: 'List roles',
  description: 'Lists the built-in roles and those of the organization, with their permissions.',
  input: ListRoles,
  output: page(RoleView),
});

export const createRole = operation({
  name: 'createRole',
  route: 'POST /roles',
  scope: 'members:manage',
  effect: 'write',
  reach: 'organization',
  title: 'Create a role',
  description: 'Creates a role. It cannot have more permissions than you have.',
  askedAs: 'define permissions',
  refuses: [roleNameTaken],
  input: CreateRole,
  output: one(RoleView),
  status: 201,
});

export const updateRole = operation({
  name: 'updateRole',
  route: 'PATCH /roles/{roleId}',
  scope: 'members:manage',
  effect: 'write',
  reach: 'organization',
  title: 'Change a role',
  description:
    "Renames one of the organization's own roles or replaces its permissions, immediately for all members who have it.",
  askedAs: 'what a role may do, add a permission',
  refuses: [permissionsToKeep, roleIsBuiltIn, roleNameTaken],
  input: UpdateRole,
  output: one(RoleView),
});

export const deleteRole = operation({
  name: 'deleteRole',
  route: 'DELETE /roles/{roleId}',
  scope: 'members:manage',
  effect: 'destructive',
  reach: 'organization',
  title: 'Delete a role',
  description: "Deletes one of the organization's own roles. Rejected while a member has it.",
  askedAs: 'remove a set of permissions',
  refuses: [roleInUse, roleIsBuiltIn],
  input: ThisRole,
  output: one(DeletionView),
});
