import { DateTime } from 'luxon';
import { coerceText, fieldsOf, type JsonSchema, type Operation } from '#operations';
import type { Fields } from '../../platform/pages/forms.service.js';

/** The schema of a value that may also be null. */
export const plainSchema = (schema: JsonSchema): JsonSchema =>
  (schema.anyOf as JsonSchema[] | undefined)?.find(({ type }) => type !== 'null') ?? schema;

const isNullable = ({ anyOf }: JsonSchema): boolean =>
  Array.isArray(anyOf) && anyOf.some(({ type }: JsonSchema) => type === 'null');

/**
 * What was typed as the input of an operation, which validates it: only its own fields. What was left empty is left out;
 * in a change it empties the field, where that is possible.
 */
export function typedInput(
  { input, method }: Pick<Operation, 'input' | 'method'>,
  typed: Fields,
  zone: string,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const { name, schema } of fieldsOf(input)) {
    const text = typed[name]?.trim();
    if (text === undefined) continue;
    if (text !== '') given[name] = valueOf(plainSchema(schema), text, zone);
    else if (method === 'PATCH' && isNullable(schema)) given[name] = null;
    else if (method === 'PATCH' && schema.type === 'array') given[name] = [];
  }
  return coerceText(input, given);
}

function valueOf({ type, format }: JsonSchema, text: string, zone: string): unknown {
  if (format === 'date-time') return instantOf(text, zone);
  // A checkbox comes after a hidden field that stands for its absence.
  if (type === 'boolean') return text.endsWith('true') ? true : text.endsWith('false') ? false : text;
  if (type === 'integer' || type === 'number') return Number.isNaN(Number(text)) ? text : Number(text);
  return type === 'array' ? text.split(/[\s,]+/).filter(Boolean) : text;
}

/** A day or a local time is one of the organization's zone; the operation judges anything else. */
const instantOf = (text: string, zone: string): string =>
  /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d)?)?$/.test(text)
    ? (DateTime.fromISO(text, { zone }).toUTC().toISO() ?? text)
    : text;
