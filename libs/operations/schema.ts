import { DECORATORS } from '@nestjs/swagger';
import type { JsonSchema } from './field.js';

export type Shape = new () => object;

interface FieldSchema extends JsonSchema {
  required?: boolean;
}

/** The fields of a class in the order they were written, each with the schema its decorator gave. */
export function fieldsOf(shape: Shape): { name: string; schema: FieldSchema }[] {
  const prototype = shape.prototype as object;
  const listed = (Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES_ARRAY, prototype) ?? []) as string[];
  return listed
    .map((entry) => entry.slice(1))
    .map((name) => ({
      name,
      schema: Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, prototype, name) as FieldSchema,
    }));
}

/** The class behind an object field or the items of a list, if the field has one. */
export const classOf = (schema: JsonSchema): Shape | undefined => {
  const inner = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const holder = (inner.items as JsonSchema | undefined) ?? inner;
  return (holder['x-class'] as (() => Shape) | undefined)?.();
};

export interface Writing {
  /** With descriptions and examples; so by default. */
  describe?: boolean;
  /** How an object inside is referred to; written out where it stands when left out. */
  reference?: (shape: Shape) => JsonSchema;
}

/** JSON Schema 2020-12 of a class. */
export function schemaOf(shape: Shape, writing: Writing = {}): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { name, schema } of fieldsOf(shape)) {
    properties[name] = written(schema, writing);
    if (schema.required !== false) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** What @nestjs/swagger and we keep beside a field's schema. */
const notWritten = new Set(['required', 'name', 'isArray', 'x-id']);
const descriptive = new Set(['description', 'examples']);

function written(schema: JsonSchema, writing: Writing): JsonSchema {
  const { describe = true, reference = (shape: Shape) => schemaOf(shape, writing) } = writing;
  const inner = schema['x-class'] as (() => Shape) | undefined;
  if (inner) return { ...reference(inner()), ...(describe && { description: schema.description }) };
  const kept: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (notWritten.has(key) || (descriptive.has(key) && !describe)) continue;
    if (key === 'items') kept.items = written(value as JsonSchema, writing);
    else if (key === 'anyOf') kept.anyOf = (value as JsonSchema[]).map((option) => written(option, writing));
    // TypeScript's own word for a field that may be null is a class.
    else if (value !== undefined && typeof value !== 'function') kept[key] = value;
  }
  return kept;
}
