import { event } from '../../platform/events/event-type.js';
import { AccessCodeEventData } from './access-code.dto.js';

const code = { subject: 'access_code', scope: 'access-codes:read' as const, data: AccessCodeEventData };

export const codeCreated = event('access_code.created', {
  ...code,
  tells: 'opening',
  says: 'An access code was made; it is set at its device a day before it begins to work.',
});
export const codeUpdated = event('access_code.updated', {
  ...code,
  says: 'An access code was renamed, moved or given other digits, or is about to be removed.',
});
export const codeSet = event('access_code.set', { ...code, says: 'An access code is at its device.' });
export const codeFailed = event('access_code.failed', {
  ...code,
  says: 'An access code failed, and failedBecause says why; after connection_ended its device may still take it.',
});
export const codeRemoved = event('access_code.removed', { ...code, says: 'An access code opens nothing any more.' });
