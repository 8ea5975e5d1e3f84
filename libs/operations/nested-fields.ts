import { applyDecorators } from '@nestjs/common';
import { ValidateNested } from 'class-validator';
import { invalidField } from '#errors';
import { type Check, field, type FieldOptions, isPlainObject, isText } from './field.js';
import type { JsonSchema } from './shape.js';

/** A list of ids, of values from a set, or of short texts. */
export const ListOf = (
  item: { id: string } | { oneOf: readonly string[] } | { text: number },
  options: FieldOptions & { max: number; min?: number },
): PropertyDecorator => {
  const { min = 0, max } = options;
  const [schema, description, check] = itemRule(item);
  return field(
    options,
    { type: 'array', items: schema, minItems: min, maxItems: max },
    `Pass a list of ${min} to ${max} items; each is ${description}.`,
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

const mostKeys = 50;
const isMetadata = (v: unknown): v is Record<string, string> =>
  isPlainObject(v) &&
  Object.keys(v).length <= mostKeys &&
  Object.entries(v).every(([key, text]) => isText(key, 1, 40) && isText(text, 0, 500));

/** A client's own key-value pairs: up to 50 short keys with text of up to 500 characters. */
export const Metadata = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: { type: 'string', maxLength: 500 }, maxProperties: mostKeys },
    'Pass an object of at most 50 keys of 1 to 40 characters, each with text of at most 500 characters.',
    isMetadata,
  );

/** A change of such pairs: others stay as they are, and null removes one (RFC 7396). */
export const MetadataChange = (options: FieldOptions): PropertyDecorator =>
  field(
    options,
    {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'string', maxLength: 500 }, { type: 'null' }] },
      maxProperties: mostKeys,
    },
    'Pass an object of at most 50 keys of 1 to 40 characters, each with text of at most 500 characters, or null to remove it.',
    (v) => isPlainObject(v) && isMetadata(Object.fromEntries(Object.entries(v).filter(([, text]) => text !== null))),
  );

/**
 * The changes to a record with its metadata merged, so that what one program keeps there is not removed by another.
 *
 * @throws validation_error if there would be too many keys.
 */
export function merging<C extends object>(record: { metadata: Record<string, string> }, changes: C): C {
  const { metadata } = changes as { metadata?: Record<string, string | null> };
  if (!metadata) return changes;
  const merged = Object.entries({ ...record.metadata, ...metadata }).filter(([, text]) => text !== null);
  if (merged.length > mostKeys) throw tooManyKeys();
  return { ...changes, metadata: Object.fromEntries(merged) };
}

const tooManyKeys = () =>
  invalidField(['metadata'], `A record has at most ${mostKeys} keys. Remove some: send null for each.`);

/**
 * An object that another class validates, once that class is known: the input of the operation that the field `inputOf`
 * names, if there is one.
 */
export const OpenObject = (options: FieldOptions & { inputOf?: string }): PropertyDecorator =>
  field(
    options,
    { type: 'object', additionalProperties: true, ...(options.inputOf && { 'x-input-of': options.inputOf }) },
    'Pass an object.',
    isPlainObject,
  );

const isScalar = (v: unknown): boolean => isText(v, 0, 500) || Number.isFinite(v) || typeof v === 'boolean';

/** A value to compare with: a text, a number, true or false, or a list of these. */
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
    'Pass text of at most 500 characters, a number, true, false, or a list of at most 100 of those.',
    (v) => isScalar(v) || (Array.isArray(v) && v.length <= 100 && v.every(isScalar)),
  );

/** An object with its own fields. */
export const ObjectOf = (shape: () => new () => object, options: FieldOptions): PropertyDecorator =>
  applyDecorators(field(options, { 'x-class': shape }, 'Pass an object.', isPlainObject), ValidateNested());

/** A list of objects, of which each is read for itself, so that one that is invalid does not reject the others. */
export const Items = (
  shape: () => new () => object,
  options: FieldOptions & { max: number; example: unknown },
): PropertyDecorator =>
  field(
    options,
    { type: 'array', items: { 'x-item': shape }, minItems: 1, maxItems: options.max },
    `Pass a list of 1 to ${options.max} objects.`,
    (v) => Array.isArray(v) && v.length >= 1 && v.length <= options.max && v.every(isPlainObject),
  );

/** A list of objects with their own fields. */
export const ListOfObjects = (
  shape: () => new () => object,
  options: FieldOptions & { max: number; min?: number },
): PropertyDecorator => {
  const { min = 0, max } = options;
  return applyDecorators(
    field(
      options,
      { type: 'array', items: { 'x-class': shape }, minItems: min, maxItems: max },
      `Pass a list of ${min} to ${max} objects.`,
      (v) => Array.isArray(v) && v.length >= min && v.length <= max && v.every(isPlainObject),
    ),
    ValidateNested({ each: true }),
  );
};
