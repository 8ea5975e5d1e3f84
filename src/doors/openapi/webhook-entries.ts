import type { JsonSchema } from '#operations';
import { EventView } from '../../platform/events/event.dto.js';
import type { EventType, ScopeByField } from '../../platform/events/event-type.js';
import type { ComponentSchemas } from './component-schemas.js';
import { parameterRef } from './parts.js';

/** The headers of a delivery (Standard Webhooks), by the names under which the document refers to them. */
export const webhookParameters = {
  WebhookId: headerOf('webhook-id', 'Id of the event, the same for each attempt: use it to drop duplicates.'),
  WebhookTimestamp: headerOf('webhook-timestamp', 'Unix time in seconds of this attempt.'),
  WebhookSignature: headerOf(
    'webhook-signature',
    'Signatures, separated by spaces: `v1,` and the HMAC-SHA-256 of `{id}.{timestamp}.{body}` in base64.',
  ),
};

/** Deliveries to webhook endpoints: one entry for each type of event, in the order of their names. */
export function webhooksOf(
  types: ReadonlyMap<string, EventType>,
  schemas: ComponentSchemas,
): Record<string, JsonSchema> {
  const sorted = [...types.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return Object.fromEntries(sorted.map((type) => [type.name, { post: entryOf(type, schemas) }]));
}

function entryOf({ name, description, data, scope }: EventType, { reference }: ComponentSchemas): JsonSchema {
  const event = {
    allOf: [reference(EventView), { type: 'object', properties: { type: { const: name }, data: reference(data) } }],
  };
  const schema = {
    type: 'object',
    properties: { type: { const: name }, timestamp: { type: 'string', format: 'date-time' }, data: event },
    required: ['type', 'timestamp', 'data'],
  };
  return {
    operationId: `on${name.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: ['events'],
    summary: description,
    description: `Sent to the webhook endpoints that subscribe to \`${name}\` and whose creator has ${needOf(scope)}. It contains no credential: verify the signature.`,
    'x-scope': scopesOf(scope),
    security: [],
    parameters: Object.keys(webhookParameters).map(parameterRef),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'Received. After any other response, or none within 15 seconds, the delivery is retried.' },
    },
  };
}

/** One permission, or several of which one is needed, if that depends on the event's subject. */
const scopesOf = (scope: EventType['scope']): string | string[] =>
  typeof scope === 'string' ? scope : [...new Set(scope.scopes.values())].sort();

const needOf = (scope: EventType['scope']): string => {
  const needed = scopesOf(scope);
  if (typeof needed === 'string') return `\`${needed}\``;
  const each = needed.map((one) => `\`${one}\``).join(', ');
  return `one of ${each}, depending on the ${(scope as ScopeByField).field}`;
};

function headerOf(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: true, description, schema: { type: 'string' } };
}
