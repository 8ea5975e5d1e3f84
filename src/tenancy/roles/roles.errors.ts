import { conflict, forbidden, recordNotFound, shaped } from '#errors';
import { PermissionsDetails } from './role-details.dto.js';
import type { BuiltInRole } from '../../platform/callers/permissions.js';

export const roleNotFound = recordNotFound('role', 'listRoles');

export const permissionsBeyondCaller = (lacking: string[]) =>
  forbidden(`You cannot grant permissions that you do not have: ${lacking.join(', ')}. Leave them out.`);

export const permissionsToKeep = (permissions: string[]) =>
  forbidden(
    `You cannot take away permissions that you do not have: ${permissions.join(', ')}. Keep them in the role.`,
    'PERMISSIONS_BEYOND_CALLER',
    shaped(PermissionsDetails, { permissions }),
  );

export const roleNameTaken = (name: string) =>
  conflict('ROLE_NAME_TAKEN', `The role ${name} already exists. Choose another name.`);

export const roleIsBuiltIn = (builtIn: BuiltInRole) =>
  conflict('ROLE_BUILT_IN', `${builtIn} is a built-in role and cannot be changed. Create your own role.`);

export const roleInUse = () =>
  conflict('ROLE_IN_USE', 'Members have this role. Give them another one with updateMember, then delete it.');
