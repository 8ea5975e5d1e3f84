import { one, operation, page } from '#operations';
import {
  InviteMember,
  ListMembers,
  MemberActivityView,
  MemberView,
  RemovedMemberView,
  RemoveMember,
  ThisMember,
  UpdateMember,
} from './member.dto.js';
import {
  invitedRecently,
  lastOwner,
  machineHasNoRole,
  memberExists,
  memberIsNot,
  memberIsRemoved,
  memberMayMore,
} from './members.errors.js';
import { quotaExceeded } from '../quotas/quotas.errors.js';

export const listMembers = operation({
  name: 'listMembers',
  route: 'GET /members',
  scope: 'members:read',
  effect: 'read',
  reach: 'record',
  title: 'List members',
  description:
    'Lists the people and machines of the organization by status, kind and role; removed ones only on request.',
  askedAs: 'the team, staff, find a cleaner by name',
  everyday: true,
  input: ListMembers,
  output: page(MemberActivityView),
});

export const getMember = operation({
  name: 'getMember',
  route: 'GET /members/{memberId}',
  scope: 'members:read',
  effect: 'read',
  reach: 'record',
  title: 'Get a member',
  description: 'Returns one member, including a removed one.',
  askedAs: 'one colleague',
  input: ThisMember,
  output: one(MemberActivityView),
});

export const inviteMember = operation({
  name: 'inviteMember',
  route: 'POST /members',
  scope: 'members:manage',
  effect: 'write',
  reach: 'record',
  title: 'Invite a member',
  description:
    'Invites a person with a role that has no more permissions than you have. The person becomes active by accepting.',
  askedAs: 'new colleague needs a login, add a user to the team',
  refuses: [memberExists, quotaExceeded],
  input: InviteMember,
  output: one(MemberView),
  status: 201,
});

export const resendInvitation = operation({
  name: 'resendInvitation',
  route: 'POST /members/{memberId}/resend-invitation',
  scope: 'members:manage',
  effect: 'write',
  reach: 'record',
  title: 'Send an invitation again',
  description:
    'Emails a new invitation link to an invited member, at most once an hour and three times a day; earlier links keep working.',
  askedAs: 'the invitation mail did not arrive, remind a new colleague',
  refuses: [invitedRecently, memberIsNot, memberIsRemoved, memberMayMore, quotaExceeded],
  input: ThisMember,
  output: one(MemberView),
});

export const updateMember = operation({
  name: 'updateMember',
  route: 'PATCH /members/{memberId}',
  scope: 'members:manage',
  effect: 'write',
  reach: 'record',
  title: 'Change a member',
  description: 'Changes the name, role or properties of a member, effective immediately.',
  askedAs: 'change the role, may see only some houses',
  refuses: [lastOwner, machineHasNoRole, memberIsRemoved, memberMayMore],
  input: UpdateMember,
  output: one(MemberView),
});

export const suspendMember = operation({
  name: 'suspendMember',
  route: 'POST /members/{memberId}/suspend',
  scope: 'members:manage',
  effect: 'write',
  reach: 'record',
  title: 'Suspend a member',
  description:
    'Suspends an active member until reinstateMember; API keys of a machine stop working. At least one owner must stay active.',
  askedAs: 'block a colleague, take away access temporarily',
  refuses: [lastOwner, memberIsNot, memberIsRemoved, memberMayMore],
  input: ThisMember,
  output: one(MemberView),
});

export const reinstateMember = operation({
  name: 'reinstateMember',
  route: 'POST /members/{memberId}/reinstate',
  scope: 'members:manage',
  effect: 'write',
  reach: 'record',
  title: 'Reinstate a member',
  description: 'Restores access of a suspended member.',
  askedAs: 'may work again, reactivate',
  refuses: [memberIsNot, memberIsRemoved, memberMayMore],
  input: ThisMember,
  output: one(MemberView),
});

export const removeMember = operation({
  name: 'removeMember',
  route: 'DELETE /members/{memberId}',
  scope: 'members:manage',
  effect: 'destructive',
  reach: 'record',
  title: 'Remove a member',
  description:
    'Removes a member permanently and revokes the API keys that they created, unless keepKeys is true. At least one owner ' +
    'must stay active.',
  askedAs: 'a colleague left, does not work here any more',
  refuses: [lastOwner, memberIsRemoved, memberMayMore],
  input: RemoveMember,
  output: one(RemovedMemberView),
});
