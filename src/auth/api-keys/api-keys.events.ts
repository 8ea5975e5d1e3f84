import { event } from '../../platform/events/event-type.js';
import { ApiKeyEventData } from './api-key.dto.js';

const key = { subject: 'api_key', scope: 'api-keys:read' as const, data: ApiKeyEventData };

export const apiKeyCreated = event('api_key.created', {
  ...key,
  kind: 'opening',
  description: 'An API key was created.',
});
export const apiKeyRotated = event('api_key.rotated', {
  ...key,
  description: 'An API key was rotated; it ends when the overlap is over.',
});
export const apiKeyRevoked = event('api_key.revoked', { ...key, description: 'An API key was revoked.' });
