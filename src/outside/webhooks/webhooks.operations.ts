import { DeletionView, one, operation, page } from '#operations';
import {
  ListWebhookDeliveries,
  ReplayView,
  ReplayWebhookDeliveries,
  WebhookDeliveryView,
} from './webhook-delivery.dto.js';
import {
  CreateWebhookEndpoint,
  ListWebhookEndpoints,
  ThisWebhookEndpoint,
  UpdateWebhookEndpoint,
  WebhookEndpointSecretView,
  WebhookEndpointView,
} from './webhook-endpoint.dto.js';
import { endpointIsDisabled, nothingToReplay, tooManyToReplay } from './webhooks.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';

export const createWebhookEndpoint = operation({
  name: 'createWebhookEndpoint',
  route: 'POST /webhook-endpoints',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Create a webhook endpoint',
  description: 'Sends future events of the chosen types to an address, signed with a secret that is shown only once.',
  askedAs: 'subscribe our server to changes, notifications',
  refuses: [quotaExceeded],
  input: CreateWebhookEndpoint,
  output: one(WebhookEndpointSecretView),
  status: 201,
  showsSecret: 'secret',
});

export const listWebhookEndpoints = operation({
  name: 'listWebhookEndpoints',
  route: 'GET /webhook-endpoints',
  scope: 'webhooks:read',
  effect: 'read',
  reach: 'property',
  title: 'List webhook endpoints',
  description: 'Lists the addresses that events are sent to, with their status, and never the secrets.',
  askedAs: 'which URLs receive our events',
  input: ListWebhookEndpoints,
  output: page(WebhookEndpointView),
});

export const updateWebhookEndpoint = operation({
  name: 'updateWebhookEndpoint',
  route: 'PATCH /webhook-endpoints/{endpointId}',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Change a webhook endpoint',
  description:
    'Changes the address, types or properties. Set status to disable or enable the endpoint; enabling it sends waiting deliveries.',
  askedAs: 'which events, switch off',
  input: UpdateWebhookEndpoint,
  // Another address is another receiver.
  carriesOut: ({ url }) => (url === undefined ? [] : [createWebhookEndpoint]),
  output: one(WebhookEndpointView),
});

export const testWebhookEndpoint = operation({
  name: 'testWebhookEndpoint',
  route: 'POST /webhook-endpoints/{endpointId}/test',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Send a test to a webhook endpoint',
  description: 'Sends webhook_endpoint.tested immediately; listWebhookDeliveries shows the response.',
  askedAs: 'send a sample event',
  refuses: [endpointIsDisabled],
  input: ThisWebhookEndpoint,
  output: one(WebhookDeliveryView),
});

export const rotateWebhookSecret = operation({
  name: 'rotateWebhookSecret',
  route: 'POST /webhook-endpoints/{endpointId}/rotate-secret',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Rotate the secret of a webhook endpoint',
  description:
    'Returns a new secret, only once. Deliveries carry signatures with both secrets for 24 hours, then only with the new one.',
  askedAs: 'new signing secret',
  input: ThisWebhookEndpoint,
  output: one(WebhookEndpointSecretView),
  showsSecret: 'secret',
});

export const deleteWebhookEndpoint = operation({
  name: 'deleteWebhookEndpoint',
  route: 'DELETE /webhook-endpoints/{endpointId}',
  scope: 'webhooks:manage',
  effect: 'destructive',
  reach: 'property',
  title: 'Delete a webhook endpoint',
  description: 'Deletes an endpoint and the log of its deliveries. Nothing more is sent to it.',
  askedAs: 'unsubscribe from events',
  input: ThisWebhookEndpoint,
  output: one(DeletionView),
});

export const listWebhookDeliveries = operation({
  name: 'listWebhookDeliveries',
  route: 'GET /webhook-deliveries',
  scope: 'webhooks:read',
  effect: 'read',
  reach: 'property',
  title: 'List webhook deliveries',
  description: 'Lists the deliveries of the last 30 days and the responses to them, newest first.',
  askedAs: 'did our server receive it, failed deliveries',
  input: ListWebhookDeliveries,
  output: page(WebhookDeliveryView),
});

export const replayWebhookDeliveries = operation({
  name: 'replayWebhookDeliveries',
  route: 'POST /webhook-deliveries/replay',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Send events again',
  description: 'Sends one event, or the events of a period, to an endpoint again, with the same webhook-id.',
  askedAs: 'resend failed or missed events',
  refuses: [endpointIsDisabled, nothingToReplay, tooManyToReplay],
  input: ReplayWebhookDeliveries,
  output: one(ReplayView),
});
