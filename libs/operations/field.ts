import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { type Deprecation, deprecationSentence } from './deprecation.js';
import { describeField, type FieldSchema } from './schema.js';
import { tagOf } from './union.js';
import type { JsonSchema, Shape } from './shape.js';

/** What in a field is secret: its whole value, or what follows the host in the addresses that it contains. */
export type Secrecy = 'value' | 'addresses';

/**
 * Field decorators: each declares a field's rule, description and schema once, for validation, OpenAPI and MCP. The
 * rules are class-validator's, and mapped types (PartialType, PickType …) carry both.
 */
export interface FieldOptions {
  /** One sentence about the field, shown in the API reference and to assistants. */
  description: string;
  /** May be left out. */
  optional?: boolean;
  /** May be null: in an input, null clears the field; in an output, it means that there is no value. */
  nullable?: boolean;
  /** It is said in the document, by the tools, and in the headers of responses to requests that use it. */
  deprecated?: Deprecation;
  /** A value for the example in the API reference, needed if none can be derived from the rule. */
  example?: unknown;
  /** Only the operation that reveals it shows it: everything else that shows the input masks it. */
  secret?: Secrecy;
}

export type Check = (value: unknown) => boolean;

/** Builds every field: presence, one rule with its message, one schema. */
export function field(options: FieldOptions, schema: JsonSchema, sentence: string, check: Check): PropertyDecorator {
  return applyDecorators(
    ...presence(options),
    ValidateBy(
      { name: 'field', validator: { validate: check } },
      { message: ({ value, object }) => (value === undefined ? missingFrom(object, sentence) : sentence) },
    ),
    (prototype: object, name: string | symbol) =>
      describeField(prototype, name as string, propertySchema(schema, options)),
  );
}

const presence = ({ optional, nullable }: FieldOptions): PropertyDecorator[] =>
  optional || nullable
    ? [ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null))]
    : [];

/** JSON Schema 2020-12. Null is expressed with anyOf, which more clients understand than a list of types. */
const propertySchema = (
  schema: JsonSchema,
  { description, optional = false, nullable = false, example, deprecated, secret }: FieldOptions,
): FieldSchema => ({
  ...(nullable ? { anyOf: [schema, { type: 'null' }] } : schema),
  ...(example !== undefined && { examples: [example] }),
  description: deprecated ? `${description} ${deprecationSentence(deprecated)}` : description,
  ...(deprecated && { deprecated: true, 'x-deprecated': deprecated }),
  ...(secret && { 'x-secret': secret }),
  required: !optional,
});

function missingFrom(object: object, sentence: string): string {
  const tag = tagOf(object.constructor as Shape, object);
  return tag === undefined ? `This field is required: ${lowerFirst(sentence)}` : `${tag} needs this field.`;
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && hasLength(value, min, max) && (min === 0 || value.trim() !== '');

/**
 * JSON Schema and Postgres count code points, JavaScript counts UTF-16 units: one or two for each. Only where that makes
 * a difference is the text looked through.
 */
function hasLength(text: string, min: number, max: number): boolean {
  if (text.length < min || text.length > 2 * max) return false;
  if (text.length >= 2 * min && text.length <= max) return true;
  const length = codePointsIn(text);
  return length >= min && length <= max;
}

function codePointsIn(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
