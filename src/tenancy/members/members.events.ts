import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { MemberView } from './member.dto.js';

/** A member without the email address, which getMember shows to those who may read members. */
export class MemberEventData extends OmitType(MemberView, ['email'] as const) {}

const member = { subject: 'member', scope: 'members:read' as const, data: MemberEventData };

export const memberInvited = event('member.invited', {
  ...member,
  kind: 'opening',
  description: 'A person was invited.',
});
export const memberAdded = event('member.added', {
  ...member,
  kind: 'opening',
  description: 'A member was added.',
});
export const memberJoined = event('member.joined', { ...member, description: 'An invitation was accepted.' });
export const memberUpdated = event('member.updated', {
  ...member,
  description: 'A member was changed.',
});
export const memberSuspended = event('member.suspended', { ...member, description: 'A member was suspended.' });
export const memberReinstated = event('member.reinstated', {
  ...member,
  description: 'A suspended member was reinstated.',
});
export const memberRemoved = event('member.removed', { ...member, description: 'A member was removed.' });
