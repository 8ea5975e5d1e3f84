import type { JsonSchema } from '#operations';
import { EventView } from '../events/event.dto.js';
import type { EventType } from '../events/event-type.js';
import type { ComponentSchemas } from './component-schemas.js';

/** What is sent to webhook endpoints: one entry for each type of event, in the order of their names. */
export function webhooksOf(
  types: ReadonlyMap<string, EventType>,
  schemas: ComponentSchemas,
): Record<string, JsonSchema> {
  const sorted = [...types.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return Object.fromEntries(sorted.map((type) => [type.name, { post: entryOf(type, schemas) }]));
}

function entryOf({ name, says, data }: EventType, { reference }: ComponentSchemas): JsonSchema {
  const event = {
    allOf: [reference(EventView), { type: 'object', properties: { type: { const: name }, data: reference(data) } }],
  };
  const schema = {
    type: 'object',
    properties: { type: { const: name }, timestamp: { type: 'string', format: 'date-time' }, data: event },
    required: ['type', 'timestamp', 'data'],
  };
  return {
    tags: ['events'],
    summary: says,
    parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((header) => ({
      name: header,
      in: 'header',
      required: true,
      schema: { type: 'string' },
    })),
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received. Any other answer, and none within 15 seconds, is tried again.' } },
  };
}
