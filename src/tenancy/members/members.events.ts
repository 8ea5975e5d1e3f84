import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { MemberView } from './member.dto.js';

/** A member without the email address, which getMember shows to those who may read members. */
export class MemberEventData extends OmitType(MemberView, ['email'] as const) {}

const member = { subject: 'member', scope: 'members:read' as const, data: MemberEventData };

export const memberInvited = event('member.invited', {
  ...member,
  kind: 'opening',
  description: 'A person was invited.',
  undo: ({ after }) => ({
    operation: 'removeMember',
    input: { memberId: after.id },
    leaves: 'The invitation email was sent.',
  }),
});
export const memberInvitedAgain = event('member.invited_again', {
  ...member,
  description: 'An invitation was sent again.',
  undo: cannotBeUndone('The email was sent. Withdraw the invitation with removeMember.'),
});
export const memberAdded = event('member.added', {
  ...member,
  kind: 'opening',
  description: 'A member was added.',
  undo: undoneBy('removeMember', ({ id }) => ({ memberId: id })),
});
export const memberJoined = event('member.joined', {
  ...member,
  description: 'An invitation was accepted.',
  undo: cannotBeUndone('The person accepted the invitation. Remove them with removeMember.'),
});
export const memberUpdated = event('member.updated', {
  ...member,
  description: 'A member was changed.',
  undo: setBackBy('updateMember', { memberId: 'id' }),
});
export const memberSuspended = event('member.suspended', {
  ...member,
  description: 'A member was suspended.',
  undo: undoneBy('reinstateMember', ({ id }) => ({ memberId: id })),
});
export const memberReinstated = event('member.reinstated', {
  ...member,
  description: 'A suspended member was reinstated.',
  undo: undoneBy('suspendMember', ({ id }) => ({ memberId: id })),
});
export const memberRemoved = event('member.removed', {
  ...member,
  description: 'A member was removed.',
  undo: cannotBeUndone('A removed member cannot be restored. Invite the person again with inviteMember.'),
});
