import { conflict, forbidden, notFound, rejection } from '#errors';
import type { MemberStatus } from '../../organizations/member.dto.js';

export const memberNotFound = () => notFound('member');

export const memberExists = (email: string) =>
  conflict('MEMBER_EXISTS', `${email} is a member of this organization already, or invited to it.`);

export const lastOwner = () =>
  conflict(
    'LAST_OWNER',
    'This is the last active owner of the organization who sees all properties. Make another member such an owner first.',
  );

export const memberIsRemoved = () =>
  conflict('MEMBER_REMOVED', 'The member was removed, which is for good. Invite the person anew.');

export const memberIsNot = (wanted: MemberStatus, status: MemberStatus) =>
  conflict('MEMBER_STATUS', `The member is ${status}; this can be done to one that is ${wanted}.`);

export const memberMayMore = (permissions: string[]) =>
  forbidden(
    `The member has permissions that you do not have: ${permissions.join(', ')}. Ask someone who has them.`,
    'PERMISSIONS_BEYOND_CALLER',
    { permissions },
  );

export const machineHasNoRole = rejection(
  'MEMBER_MACHINE_HAS_NO_ROLE',
  'A machine acts with the scopes of its API keys and has no role. Leave roleId out, or make a key with other scopes.',
);
