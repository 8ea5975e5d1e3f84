import { event } from '../../platform/events/event-type.js';
import { ApplicationEventData } from './application.dto.js';

const application = { subject: 'application', scope: 'applications:manage' as const, data: ApplicationEventData };

export const applicationApproved = event('application.approved', {
  ...application,
  kind: 'opening',
  description: 'A person approved an application.',
});
export const applicationRevoked = event('application.revoked', {
  ...application,
  description: 'The approval of an application was revoked, and its tokens with it.',
});
