import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * Field decorators: each says a field's rule, its sentence and its schema once, for validation, OpenAPI and MCP alike.
 * The rules are class-validator's, the schema is @nestjs/swagger's, so the mapped types (PartialType, PickType …) carry
 * both.
 */
export interface FieldOptions {
  /** One sentence about the field, shown in the API reference and to assistants. */
  about: string;
  /** May be left out. */
  optional?: boolean;
  /** May be null: in an input it clears the field, in an output it says that there is none. */
  nullable?: boolean;
  /** A value for the API reference's example of the body; needed where none can be made from the rule. */
  example?: unknown;
}

export type JsonSchema = Record<string, unknown>;
export type Check = (value: unknown) => boolean;

/** Every field is built by this: presence, one rule with its sentence, one schema. */
export function field(options: FieldOptions, schema: JsonSchema, sentence: string, check: Check): PropertyDecorator {
  return applyDecorators(
    ...presence(options),
    ValidateBy(
      { name: 'field', validator: { validate: check } },
      { message: ({ value }) => (value === undefined ? `This field is required: ${lowerFirst(sentence)}` : sentence) },
    ),
    ApiProperty(propertySchema(schema, options)),
  );
}

const presence = ({ optional, nullable }: FieldOptions): PropertyDecorator[] =>
  optional || nullable
    ? [ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null))]
    : [];

/** JSON Schema 2020-12; null as anyOf, which more clients understand than a list of types. */
const propertySchema = (
  schema: JsonSchema,
  { about, optional = false, nullable = false, example }: FieldOptions,
): object => ({
  ...(nullable ? { anyOf: [schema, { type: 'null' }] } : schema),
  ...(example !== undefined && { examples: [example] }),
  description: about,
  required: !optional,
});

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

export const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length >= min && value.length <= max && (min === 0 || value.trim() !== '');
