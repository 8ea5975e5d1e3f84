import { one, operation, page } from '#operations';
import { DeletionView } from '../../deletion.js';
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

export const createWebhookEndpoint = operation({
  name: 'createWebhookEndpoint',
  route: 'POST /webhook-endpoints',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Have events sent to an address',
  description: 'From now on events of the chosen types are posted there, signed with a secret that is shown this once.',
  input: CreateWebhookEndpoint,
  output: one(WebhookEndpointSecretView),
  status: 201,
  showsSecret: true,
});

export const listWebhookEndpoints = operation({
  name: 'listWebhookEndpoints',
  route: 'GET /webhook-endpoints',
  scope: 'webhooks:read',
  effect: 'read',
  reach: 'property',
  title: 'List webhook endpoints',
  description: 'Where events are sent and how that goes; never the secrets.',
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
  description: 'Changes address, types or properties; status disables it, or takes it up again with what still waits.',
  input: UpdateWebhookEndpoint,
  output: one(WebhookEndpointView),
});

export const testWebhookEndpoint = operation({
  name: 'testWebhookEndpoint',
  route: 'POST /webhook-endpoints/{endpointId}/test',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Send a test to a webhook endpoint',
  description: 'Sends webhook_endpoint.tested there at once; listWebhookDeliveries tells what was answered.',
  input: ThisWebhookEndpoint,
  output: one(WebhookDeliveryView),
});

export const rotateWebhookSecret = operation({
  name: 'rotateWebhookSecret',
  route: 'POST /webhook-endpoints/{endpointId}/rotate-secret',
  scope: 'webhooks:manage',
  effect: 'write',
  reach: 'property',
  title: 'Give a webhook endpoint a new secret',
  description:
    'Shows a new secret this once; deliveries carry signatures of both for 24 hours, then of the new one alone.',
  input: ThisWebhookEndpoint,
  output: one(WebhookEndpointSecretView),
  showsSecret: true,
});

export const deleteWebhookEndpoint = operation({
  name: 'deleteWebhookEndpoint',
  route: 'DELETE /webhook-endpoints/{endpointId}',
  scope: 'webhooks:manage',
  effect: 'destructive',
  reach: 'property',
  title: 'Delete a webhook endpoint',
  description: 'Nothing is sent there any more, and its deliveries are forgotten.',
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
  description: 'What was sent in the last 30 days and what was answered, newest first.',
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
  description: 'Sends one event, or those of a time, to an endpoint again, with the same webhook-id as before.',
  input: ReplayWebhookDeliveries,
  output: one(ReplayView),
});
