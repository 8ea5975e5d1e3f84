import { conflict, forbidden, notFound } from '#errors';
import type { BuiltInRole } from './permissions.js';

export const roleNotFound = () => notFound('role');

export const permissionsBeyondCaller = (lacking: string[]) =>
  forbidden(`You may not give what you lack: ${lacking.join(', ')}. Leave these permissions out.`);

export const permissionsToKeep = (permissions: string[]) =>
  forbidden(
    `You cannot take away permissions that you do not have: ${permissions.join(', ')}. Keep them in the role.`,
    'PERMISSIONS_BEYOND_CALLER',
    { permissions },
  );

export const roleNameTaken = (name: string) =>
  conflict('ROLE_NAME_TAKEN', `There is a role called ${name} already; choose another name.`);

export const roleIsBuiltIn = (builtIn: BuiltInRole) =>
  conflict('ROLE_BUILT_IN', `${builtIn} is a built-in role, which stays as it is. Make a role of your own beside it.`);

export const roleInUse = () =>
  conflict('ROLE_IN_USE', 'Members have this role. Give them another one, then delete it.');
