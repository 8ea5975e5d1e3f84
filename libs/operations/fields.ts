import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { isCalendarDate, isEmail, isTimestamp, isTimeZone } from './formats.js';

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
type Check = (value: unknown) => boolean;

/** Every field is built by this: presence, one rule with its sentence, one schema. */
function field(options: FieldOptions, schema: JsonSchema, sentence: string, check: Check): PropertyDecorator {
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

const isText = (value: unknown, min: number, max: number): value is string =>
  typeof value === 'string' && value.length >= min && value.length <= max && (min === 0 || value.trim() !== '');

/** Text of min to max UTF-16 units, not only blanks. */
export const Text = (options: FieldOptions & { max: number; min?: number }): PropertyDecorator => {
  const { min = 1, max } = options;
  return field(
    options,
    { type: 'string', minLength: min, maxLength: max },
    `Give text of ${min} to ${max} characters.`,
    (v) => isText(v, min, max),
  );
};

/** Text that must match a pattern; the sentence says what is expected. */
export const Pattern = (options: FieldOptions & { pattern: RegExp; max: number; says: string }): PropertyDecorator =>
  field(
    options,
    { type: 'string', pattern: options.pattern.source, maxLength: options.max },
    options.says,
    (v) => isText(v, 1, options.max) && options.pattern.test(v),
  );

/** An id of the API. What is not the id of anything is answered 404 by the reader, never 400. */
export const idPattern = (prefix: string): RegExp => new RegExp(`^${prefix}_[0-9a-f]{32}$`);

export const Id = (prefix: string, options: FieldOptions): PropertyDecorator =>
  applyDecorators(
    field(
      options,
      { type: 'string', 'x-id': prefix },
      'Give an id as this API wrote it.',
      (v) => typeof v === 'string',
    ),
  );

export const OneOf = <T extends string>(values: readonly T[], options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', enum: [...values] }, `Choose one of: ${values.join(', ')}.`, (v) =>
    values.includes(v as T),
  );

export const Int = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'integer', minimum: options.min, maximum: options.max },
    `Give a whole number from ${options.min} to ${options.max}.`,
    (v) => Number.isInteger(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Decimal = (options: FieldOptions & { min: number; max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'number', minimum: options.min, maximum: options.max },
    `Give a number from ${options.min} to ${options.max}.`,
    (v) => Number.isFinite(v) && (v as number) >= options.min && (v as number) <= options.max,
  );

export const Flag = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'boolean' }, 'Give true or false.', (v) => typeof v === 'boolean');

/** A moment, RFC 3339 with an offset. */
export const Timestamp = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'string', format: 'date-time' },
    'Give a time with its offset, such as 2026-03-01T15:00:00+01:00.',
    isTimestamp,
  );

/** A day of the calendar, RFC 3339 full-date, local to the property. */
export const CalendarDate = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'string', format: 'date' }, 'Give a date such as 2026-03-01.', isCalendarDate);

/** An address that mail can be sent to; kept as it was written, compared without regard to case. */
export const Email = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'ana@example.com', ...options },
    { type: 'string', format: 'email', maxLength: 254 },
    'Give an email address such as ana@example.com.',
    isEmail,
  );

/** An IANA time zone name. */
export const TimeZone = (options: FieldOptions): PropertyDecorator =>
  field(
    { example: 'Europe/Lisbon', ...options },
    { type: 'string', maxLength: 64 },
    'Give an IANA time zone such as Europe/Lisbon.',
    isTimeZone,
  );

/** Bytes in base64 (RFC 4648, section 4). */
export const Base64 = (options: FieldOptions & { maxBytes: number }): PropertyDecorator => {
  const max = Math.ceil(options.maxBytes / 3) * 4;
  return field(
    options,
    { type: 'string', contentEncoding: 'base64', maxLength: max },
    `Give up to ${options.maxBytes} bytes in base64.`,
    (v) =>
      isText(v, 1, max) &&
      /^[A-Za-z0-9+/]*={0,2}$/.test(v) &&
      v.length % 4 === 0 &&
      Buffer.byteLength(v, 'base64') <= options.maxBytes,
  );
};

/** A list of ids, of words out of a set, or of short texts. */
export const ListOf = (
  item: { id: string } | { oneOf: readonly string[] } | { text: number },
  options: FieldOptions & { max: number; min?: number },
): PropertyDecorator => {
  const { min = 0, max } = options;
  const [schema, says, check] = itemRule(item);
  return field(
    options,
    { type: 'array', items: schema, minItems: min, maxItems: max },
    `Give a list of ${min} to ${max} items; each is ${says}.`,
    (v) => Array.isArray(v) && v.length >= min && v.length <= max && v.every(check) && new Set(v).size === v.length,
  );
};

function itemRule(item: Parameters<typeof ListOf>[0]): [JsonSchema, string, Check] {
  if ('id' in item) return [{ type: 'string', 'x-id': item.id }, 'a different id', (v) => typeof v === 'string'];
  if ('oneOf' in item) {
    const { oneOf } = item;
    return [
      { type: 'string', enum: [...oneOf] },
      `a different one of: ${oneOf.join(', ')}`,
      (v) => oneOf.includes(v as string),
    ];
  }
  const { text } = item;
  return [{ type: 'string', maxLength: text }, `different text of 1 to ${text} characters`, (v) => isText(v, 1, text)];
}

/** Free key and value pairs of a client's own: up to 50 short keys with text of up to 500 characters. */
export const Metadata = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: { type: 'string', maxLength: 500 }, maxProperties: 50 },
    'Give an object of up to 50 keys of 1 to 40 characters, each with text of up to 500 characters.',
    (v) =>
      isPlainObject(v) &&
      Object.keys(v).length <= 50 &&
      Object.entries(v).every(([key, text]) => isText(key, 1, 40) && isText(text, 0, 500)),
  );

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object whose fields another class judges, once it is known which. */
export const OpenObject = (options: FieldOptions): PropertyDecorator =>
  field(options, { type: 'object', additionalProperties: true }, 'Give an object.', isPlainObject);

/** A list of such objects. */
export const ListOfOpenObjects = (options: FieldOptions & { max: number }): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { type: 'object', additionalProperties: true }, maxItems: options.max },
    `Give a list of up to ${options.max} objects.`,
    (v) => Array.isArray(v) && v.length <= options.max && v.every(isPlainObject),
  );

const isScalar = (v: unknown): boolean => isText(v, 0, 500) || Number.isFinite(v) || typeof v === 'boolean';

/** Something to compare with: a text, a number, true or false, or a list of such. */
export const Comparable = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    {
      anyOf: [
        { type: 'string', maxLength: 500 },
        { type: 'number' },
        { type: 'boolean' },
        {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] },
          maxItems: 100,
        },
      ],
    },
    'Give a text of up to 500 characters, a number, true, false, or a list of up to 100 of those.',
    (v) => isScalar(v) || (Array.isArray(v) && v.length <= 100 && v.every(isScalar)),
  );

/** An object with fields of its own. */
export const ObjectOf = (shape: () => new () => object, options: FieldOptions): PropertyDecorator =>
  applyDecorators(field(options, { 'x-class': shape }, 'Give an object.', isPlainObject), ValidateNested());

/** A list of objects with fields of their own. */
export const ListOfObjects = (
  shape: () => new () => object,
  options: FieldOptions & { max: number; min?: number },
): PropertyDecorator => {
  const { min = 0, max } = options;
  return applyDecorators(
    field(
      options,
      { type: 'array', items: { 'x-class': shape }, minItems: min, maxItems: max },
      `Give a list of ${min} to ${max} objects.`,
      (v) => Array.isArray(v) && v.length >= min && v.length <= max && v.every(isPlainObject),
    ),
    ValidateNested({ each: true }),
  );
};
