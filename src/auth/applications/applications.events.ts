import { event } from '../../events/event-type.js';
import { ApplicationView } from './application.dto.js';

export const applicationRevoked = event('application.revoked', {
  subject: 'application',
  data: ApplicationView,
  says: 'An approval of an application was ended, and its tokens with it.',
});
