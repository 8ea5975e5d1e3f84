import { event } from '../../platform/events/event-type.js';
import { ApplicationEventData } from './application.dto.js';

const application = { subject: 'application', scope: 'applications:manage' as const, data: ApplicationEventData };

export const applicationApproved = event('application.approved', {
  ...application,
  tells: 'opening',
  says: 'A person let an application act for them.',
});
export const applicationRevoked = event('application.revoked', {
  ...application,
  says: 'An approval of an application was ended, and its tokens with it.',
});
