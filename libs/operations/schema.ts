import 'reflect-metadata';
import { membersOf } from './union.js';
import type { JsonSchema, Shape } from './shape.js';

export interface FieldSchema extends JsonSchema {
  required?: boolean;
}

/** Metadata of a class's prototype: the names of its fields, and the schema of each. */
const [names, schemas] = [Symbol('names of fields'), Symbol('schema of a field')];

/** A field that is declared again, as in a class that extends another, keeps what it does not redefine. */
export function describeField(prototype: object, name: string, schema: FieldSchema): void {
  const known = (Reflect.getMetadata(names, prototype) ?? []) as string[];
  if (!known.includes(name)) Reflect.defineMetadata(names, [...known, name], prototype);
  const before = Reflect.getMetadata(schemas, prototype, name) as FieldSchema | undefined;
  Reflect.defineMetadata(schemas, { ...before, ...schema }, prototype, name);
}

/** The fields of a class in source order, each with the schema of its decorator. */
export function fieldsOf(shape: Shape): { name: string; schema: FieldSchema }[] {
  const prototype = shape.prototype as object;
  const listed = (Reflect.getMetadata(names, prototype) ?? []) as string[];
  return listed.map((name) => ({ name, schema: Reflect.getMetadata(schemas, prototype, name) as FieldSchema }));
}

/** The class of an object field or of a list's items, if there is one. */
export const classOf = (schema: JsonSchema): Shape | undefined => {
  const inner = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const described = (inner.items as JsonSchema | undefined) ?? inner;
  return (described['x-class'] as (() => Shape) | undefined)?.();
};

export interface Writing {
  /** With descriptions and examples; so by default. */
  describe?: boolean;
  /** How to refer to a nested object; inlined when left out. */
  reference?: (shape: Shape) => JsonSchema;
}

type Refer = (shape: Shape) => JsonSchema;

/** JSON Schema 2020-12 of a class. With `reference`, a union has the discriminator of OpenAPI. */
export function schemaOf(shape: Shape, { describe = true, reference }: Writing = {}): JsonSchema {
  if (!reference) return writtenOut(shape, describe, []);
  const union = membersOf(shape);
  if (!union) return objectSchema(shape, describe, reference);
  const options = Object.entries(union.members).map(([tag, member]) => [tag, reference(member)] as const);
  const mapping = Object.fromEntries(options.map(([tag, { $ref }]) => [tag, $ref]));
  return { oneOf: options.map(([, option]) => option), discriminator: { propertyName: union.by, mapping } };
}

/** A recursive class is written out once; where it is nested in itself, the schema allows any object. */
function writtenOut(shape: Shape, describe: boolean, around: readonly Shape[]): JsonSchema {
  if (around.includes(shape)) return { type: 'object', additionalProperties: true };
  const refer = (inner: Shape): JsonSchema => writtenOut(inner, describe, [...around, shape]);
  const union = membersOf(shape);
  // More clients understand `anyOf` than `oneOf`. The members exclude each other.
  return union
    ? { type: 'object', anyOf: Object.values(union.members).map(refer) }
    : objectSchema(shape, describe, refer);
}

function objectSchema(shape: Shape, describe: boolean, refer: Refer): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const { name, schema } of fieldsOf(shape)) {
    properties[name] = written(schema, describe, refer);
    if (schema.required !== false) required.push(name);
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

/** What is stored beside a field's schema. */
const notWritten = new Set(['required', 'x-id', 'x-secret', 'x-input-of']);
const descriptive = new Set(['description', 'examples']);

function written(schema: JsonSchema, describe: boolean, refer: Refer): JsonSchema {
  const inner = (schema['x-class'] ?? schema['x-item']) as (() => Shape) | undefined;
  if (inner) return { ...refer(inner()), ...(describe && { description: schema.description }) };
  const kept: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (notWritten.has(key) || (descriptive.has(key) && !describe)) continue;
    if (key === 'items') kept.items = written(value as JsonSchema, describe, refer);
    else if (key === 'anyOf') kept.anyOf = (value as JsonSchema[]).map((option) => written(option, describe, refer));
    else if (value !== undefined) kept[key] = value;
  }
  return kept;
}
