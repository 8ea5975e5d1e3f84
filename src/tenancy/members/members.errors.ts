import { conflict, forbidden, recordNotFound, rejection, shaped } from '#errors';
import { PermissionsDetails } from '../roles/role-details.dto.js';
import type { MemberStatus } from './member.dto.js';

export const memberNotFound = recordNotFound('member', 'listMembers');

export const memberExists = (email: string) =>
  conflict(
    'MEMBER_EXISTS',
    `${email} is already a member of this organization or invited to it. Change the member with updateMember.`,
  );

export const lastOwner = () =>
  conflict(
    'LAST_OWNER',
    'This is the last active owner with access to all properties. Make another member an owner with this access first.',
  );

export const memberIsRemoved = () =>
  conflict('MEMBER_REMOVED', 'The member was removed permanently. Invite the person again with inviteMember.');

export const memberIsNot = (wanted: MemberStatus, status: MemberStatus) =>
  conflict('MEMBER_STATUS', `The member is ${status}; this requires the status ${wanted}.`);

export const invitedRecently = () =>
  conflict(
    'INVITED_RECENTLY',
    'This address received an invitation within the last hour, or three today. The link works for seven days; try again later.',
  );

export const memberMayMore = (permissions: string[]) =>
  forbidden(
    `The member has permissions that you do not have: ${permissions.join(', ')}. Ask someone who has them.`,
    'PERMISSIONS_BEYOND_CALLER',
    shaped(PermissionsDetails, { permissions }),
  );

export const machineHasNoRole = rejection(
  'MEMBER_MACHINE_HAS_NO_ROLE',
  'A machine has no role; it has the scopes of its API keys. Omit roleId, or create a key with other scopes.',
);
