import { fieldsOf } from './schema.js';
import { membersOf } from './union.js';
import type { JsonSchema, Shape } from './shape.js';

/**
 * An example of a valid input: the required fields and those with an example. If there are no such fields, as in a
 * change, the first field that does not refer to another record.
 */
export function exampleOf(shape: Shape, leaveOut: readonly string[] = []): Record<string, unknown> {
  const [first = shape] = Object.values(membersOf(shape)?.members ?? {});
  const fields = fieldsOf(first).filter(({ name }) => !leaveOut.includes(name));
  const given = fields.filter(({ schema }) => schema.required !== false || schema.examples !== undefined);
  const shown = given.length > 0 ? given : fields.filter(({ schema }) => !isReference(schema)).slice(0, 1);
  return Object.fromEntries(shown.map(({ name, schema }) => [name, exampleOfField(schema)]));
}

/** A value that a field takes. */
export function exampleOfField(schema: JsonSchema): unknown {
  const { examples, anyOf, type, minItems = 0, items } = schema as FieldSchema;
  if (examples) return examples[0];
  if (anyOf) return exampleOfField(anyOf[0] as JsonSchema);
  if (schema['x-class']) return exampleOf((schema['x-class'] as () => Shape)());
  if (schema.enum) return (schema.enum as unknown[])[0];
  if (type === 'array') return Array.from({ length: minItems }, () => exampleOfField(items as JsonSchema));
  if (type === 'object') return {};
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 0;
  return exampleText(schema);
}

interface FieldSchema extends JsonSchema {
  examples?: unknown[];
  anyOf?: JsonSchema[];
  minItems?: number;
  items?: JsonSchema;
}

const isReference = (schema: JsonSchema): boolean =>
  'x-id' in schema || ((schema.anyOf as JsonSchema[] | undefined)?.some(isReference) ?? false);

function exampleText(schema: JsonSchema): string {
  if (typeof schema['x-id'] === 'string') return `${schema['x-id']}_0198c0de5eed7a11b0a7c0ffee123456`;
  if (schema.format === 'date-time') return '2030-06-01T15:00:00Z';
  if (schema.format === 'date') return '2030-06-01';
  return 'Example'.padEnd(Number(schema.minLength ?? 0), '.').slice(0, Number(schema.maxLength ?? 100));
}
