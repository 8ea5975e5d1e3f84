import type { JsonSchema } from '#operations';
import { EventView } from '../../events/event.dto.js';
import type { EventType, ScopeByField } from '../../platform/events/event-type.js';
import type { ComponentSchemas } from './component-schemas.js';
import { parameterRef } from './responses.js';

/** The headers of a delivery (Standard Webhooks), by the names under which the document refers to them. */
export const webhookParameters = {
  WebhookId: headerOf('webhook-id', 'The id of the event, the same at each try: keep it to drop what comes twice.'),
  WebhookTimestamp: headerOf('webhook-timestamp', 'When this try was sent, in seconds since 1970.'),
  WebhookSignature: headerOf(
    'webhook-signature',
    'Signatures, with blanks between them: `v1,` and the HMAC-SHA-256 of `{id}.{timestamp}.{body}` in base64.',
  ),
};

/** What is sent to webhook endpoints: one entry for each type of event, in the order of their names. */
export function webhooksOf(
  types: ReadonlyMap<string, EventType>,
  schemas: ComponentSchemas,
): Record<string, JsonSchema> {
  const sorted = [...types.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return Object.fromEntries(sorted.map((type) => [type.name, { post: entryOf(type, schemas) }]));
}

function entryOf({ name, says, data, scope }: EventType, { reference }: ComponentSchemas): JsonSchema {
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
    summary: says,
    description: `Sent to the webhook endpoints that subscribe to \`${name}\` and whose maker has ${needOf(scope)}. No credential comes with it: check the signature.`,
    'x-scope': scopesOf(scope),
    security: [],
    parameters: Object.keys(webhookParameters).map(parameterRef),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received. Any other answer, and none within 15 seconds, is tried again.' } },
  };
}

/** One permission; or those of which one is needed, where that depends on what the event is about. */
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
