import { event } from '../../platform/events/event-type.js';
import { WebhookEndpointView } from '../../events/webhooks/webhook-endpoint.dto.js';

const endpoint = { subject: 'webhook_endpoint', scope: 'webhooks:read' as const, data: WebhookEndpointView };

export const endpointCreated = event('webhook_endpoint.created', {
  ...endpoint,
  tells: 'opening',
  says: 'A webhook endpoint was made.',
});
export const endpointUpdated = event('webhook_endpoint.updated', {
  ...endpoint,
  says: 'A webhook endpoint was changed.',
});
export const endpointTested = event('webhook_endpoint.tested', {
  ...endpoint,
  tells: 'occurrence',
  says: 'A test was sent to a webhook endpoint, whatever types it chose.',
});
export const endpointSecretRotated = event('webhook_endpoint.secret_rotated', {
  ...endpoint,
  says: 'A webhook endpoint got a new secret; the one before signs too for a day.',
});
export const endpointDeleted = event('webhook_endpoint.deleted', {
  ...endpoint,
  tells: 'ending',
  says: 'A webhook endpoint was deleted.',
});
export const endpointDegraded = event('webhook_endpoint.degraded', {
  ...endpoint,
  says: 'A webhook endpoint failed for a day, or the member it is bound to lost permissions: see missingScopes.',
});
export const endpointRecovered = event('webhook_endpoint.recovered', {
  ...endpoint,
  says: 'A degraded webhook endpoint answers again, or its member has the permissions again.',
});
export const endpointDisabled = event('webhook_endpoint.disabled', {
  ...endpoint,
  says: 'A webhook endpoint failed for five days or answered 410, and gets nothing any more.',
});
