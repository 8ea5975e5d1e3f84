import { dataSchemaOf } from './whitelist.js';
import type { Output } from './output.js';
import { schemaOf } from './schema.js';
import type { JsonSchema } from './shape.js';

/** What an operation returns as `data`, as a TypeScript type: a tenth of the tokens that its JSON Schema takes. */
export const answerTypeOf = (output: Output<unknown>): string =>
  typeText(dataSchemaOf(output, schemaOf(output.view, { describe: false })));

function typeText(schema: JsonSchema): string {
  const { type, items, properties, required = [], additionalProperties } = schema as ObjectSchema;
  const options = schema.anyOf as JsonSchema[] | undefined;
  if (options) return options.map(typeText).join(' | ');
  if (schema.enum) return (schema.enum as unknown[]).map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return items ? listOf(typeText(items)) : 'unknown[]';
  if (type === 'integer') return 'number';
  if (type !== 'object') return (type as string | undefined) ?? 'unknown';
  if (!properties)
    return `Record<string, ${typeof additionalProperties === 'object' ? typeText(additionalProperties) : 'unknown'}>`;
  const fields = Object.entries(properties).map(([name, field]) => {
    return `${name}${required.includes(name) ? '' : '?'}: ${typeText(field)}`;
  });
  return `{ ${fields.join(', ')} }`;
}

const listOf = (item: string): string => (item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`);

interface ObjectSchema extends JsonSchema {
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
}
