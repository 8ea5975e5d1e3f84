import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, undoneBy } from '../../platform/events/undo.js';
import { ApiKeyEventData } from './api-key.dto.js';

const key = { subject: 'api_key', scope: 'api-keys:read' as const, data: ApiKeyEventData };

export const apiKeyCreated = event('api_key.created', {
  ...key,
  kind: 'opening',
  description: 'An API key was created.',
  undo: undoneBy('revokeApiKey', ({ id }) => ({ keyId: id })),
});
export const apiKeyRotated = event('api_key.rotated', {
  ...key,
  description: 'An API key was rotated; it ends when the overlap is over.',
  undo: cannotBeUndone('The rotated key expires. Create a new one with createApiKey.'),
});
export const apiKeyRevoked = event('api_key.revoked', {
  ...key,
  description: 'An API key was revoked.',
  undo: cannotBeUndone('A revoked key cannot be restored. Create a new one with createApiKey.'),
});
