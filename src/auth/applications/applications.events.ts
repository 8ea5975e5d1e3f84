import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone } from '../../platform/events/undo.js';
import { ApplicationEventData } from './application.dto.js';

const application = { subject: 'application', scope: 'applications:manage' as const, data: ApplicationEventData };

export const applicationApproved = event('application.approved', {
  ...application,
  kind: 'opening',
  description: 'A person approved an application.',
  undo: cannotBeUndone('A person approved it. Revoke it with revokeApplication.'),
});
export const applicationRevoked = event('application.revoked', {
  ...application,
  description: 'The approval of an application was revoked, and its tokens with it.',
  undo: cannotBeUndone('A person can approve the application again.'),
});
