import { event } from '../../platform/events/event-type.js';
import { ApiKeyEventData } from './api-key.dto.js';

const key = { subject: 'api_key', scope: 'api-keys:read' as const, data: ApiKeyEventData };

export const apiKeyCreated = event('api_key.created', { ...key, tells: 'opening', says: 'An API key was made.' });
export const apiKeyRotated = event('api_key.rotated', {
  ...key,
  says: 'An API key got a successor, and ends when the overlap is over.',
});
export const apiKeyRevoked = event('api_key.revoked', { ...key, says: 'An API key was ended for good.' });
