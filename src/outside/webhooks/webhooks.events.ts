import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, remains, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { WebhookEndpointView } from './webhook-endpoint.dto.js';

const ofDeliveries = remains('It depends on the deliveries.');

const endpoint = { subject: 'webhook_endpoint', scope: 'webhooks:read' as const, data: WebhookEndpointView };

export const endpointCreated = event('webhook_endpoint.created', {
  ...endpoint,
  kind: 'opening',
  description: 'A webhook endpoint was created.',
  undo: undoneBy('deleteWebhookEndpoint', ({ id }) => ({ endpointId: id })),
});
export const endpointUpdated = event('webhook_endpoint.updated', {
  ...endpoint,
  description: 'A webhook endpoint was changed.',
  undo: setBackBy('updateWebhookEndpoint', { endpointId: 'id' }),
});
export const endpointTested = event('webhook_endpoint.tested', {
  ...endpoint,
  kind: 'occurrence',
  description: 'A test was sent to a webhook endpoint, regardless of the types that it subscribes to.',
  undo: remains('The test was sent.'),
});
export const endpointSecretRotated = event('webhook_endpoint.secret_rotated', {
  ...endpoint,
  description: 'The secret of a webhook endpoint was rotated; the previous one signs too for a day.',
  undo: cannotBeUndone('The previous secret expires. Rotate it again with rotateWebhookSecret.'),
});
export const endpointDeleted = event('webhook_endpoint.deleted', {
  ...endpoint,
  kind: 'ending',
  description: 'A webhook endpoint was deleted.',
  undo: cannotBeUndone('Its secret was deleted. Create a new endpoint with createWebhookEndpoint.'),
});
export const endpointDegraded = event('webhook_endpoint.degraded', {
  ...endpoint,
  description:
    'A webhook endpoint has failed for a day, or the member that it is bound to lost permissions (missingScopes).',
  undo: ofDeliveries,
});
export const endpointRecovered = event('webhook_endpoint.recovered', {
  ...endpoint,
  description: 'A degraded webhook endpoint works again.',
  undo: ofDeliveries,
});
export const endpointDisabled = event('webhook_endpoint.disabled', {
  ...endpoint,
  description: 'A webhook endpoint was disabled after five days of failures or the response 410.',
  undo: ofDeliveries,
});
