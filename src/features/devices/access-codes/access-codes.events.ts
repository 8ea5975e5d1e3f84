import { event } from '../../../platform/events/event-type.js';
import { AccessCodeEventData } from './access-code.dto.js';

const code = { subject: 'access_code', scope: 'access-codes:read' as const, data: AccessCodeEventData };

export const codeCreated = event('access_code.created', {
  ...code,
  kind: 'opening',
  description: 'An access code was created; it is set at the device one day before it becomes valid.',
});
export const codeUpdated = event('access_code.updated', {
  ...code,
  description: 'An access code was changed, or its removal was requested.',
});
export const codeSet = event('access_code.set', { ...code, description: 'An access code was set at its device.' });
export const codeFailed = event('access_code.failed', {
  ...code,
  description:
    'An access code failed for the reason in failedBecause; after connection_ended the device may still accept it.',
});
export const codeRemoved = event('access_code.removed', {
  ...code,
  description: 'An access code was removed and no longer opens the device.',
});
