import { type ValidationError, validateSync } from 'class-validator';
import { type Issue, invalidInput, notFound } from '#errors';
import type { JsonSchema } from './field.js';
import { idPattern } from './fields.js';
import { isTimestamp } from './formats.js';
import { isSurelyValid } from './quick-check.js';
import { classOf, fieldsOf, type Shape } from './schema.js';

/** How many issues one answer names: more would take long to write, and nobody reads them. */
const mostIssues = 500;

/**
 * Reads an operation's input, for REST and MCP alike: everything wrong is told at once, unknown fields are refused, and
 * an id that is none is 404 once nothing else is wrong.
 *
 * @param at where the fields are, when they are a part of an input.
 * @throws validation_error with an issue for each failing field; not_found_error for a malformed id.
 */
export function readInput<In extends object>(
  shape: new () => In,
  raw: object,
  sofar: Issue[] = [],
  at: Issue['path'] = [],
): In {
  const findings: Findings = { issues: [...sofar] };
  const input = instanceOf(shape, raw, at, findings);
  const errors = isSurelyValid(shape, input) ? [] : validateSync(input, { forbidUnknownValues: false });
  const issues = [...findings.issues, ...errors.flatMap((error) => issuesOf(error, at))];
  if (issues.length > 0) throw invalidInput(issues.slice(0, mostIssues));
  if (findings.stranger !== undefined) throw notFound(findings.stranger.replace('_', ' '));
  return input;
}

interface Findings {
  issues: Issue[];
  /** What the first id that is none claims to be the id of. */
  stranger?: string;
}

/**
 * The fields as an instance of their class, objects inside too. Only names that the class has are copied: a client's own
 * `constructor` or `hasOwnProperty` would mislead the validator.
 */
function instanceOf<In extends object>(shape: new () => In, raw: object, path: Issue['path'], findings: Findings): In {
  const fields = readersOf(shape);
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const [field, here] = [fields.get(name), [...path, name]];
    if (field) given[name] = read(field, value, here, findings);
    else findings.issues.push({ path: here, message: 'This field is not known here; leave it out.' });
  }
  return Object.assign(new shape(), given);
}

function read(field: Field, value: unknown, path: Issue['path'], findings: Findings): unknown {
  if (!field.inner && field.idOf === undefined && !field.isTime) return value;
  if (Array.isArray(value)) {
    // One item too many is enough for the list to be refused; to judge each of them would take seconds.
    const items = value.slice(0, field.maxItems + 1);
    // So is one that is no object among objects: class-validator would look into lists of lists without end.
    if (field.inner && !items.every(isObject)) return [null];
    return items.map((item: unknown, index) => read(field, item, [...path, index], findings));
  }
  if (typeof value === 'string') {
    if (field.idOf !== undefined && !idPattern(field.idOf).test(value)) findings.stranger ??= field.idOf;
    // Times are read as UTC with milliseconds, whatever offset they came with: Postgres knows none beyond 15:59.
    return field.isTime && isTimestamp(value) ? new Date(value).toISOString() : value;
  }
  return field.inner && isObject(value) ? instanceOf(field.inner, value, path, findings) : value;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What reading a field needs to know of it; items of a list are read like the field itself. */
interface Field {
  /** The class of an object, or of the objects in a list. */
  readonly inner?: Shape;
  /** What the id is of. */
  readonly idOf?: string;
  readonly isTime: boolean;
  /** None where it is no list. */
  readonly maxItems: number;
  readonly type?: unknown;
}

const readers = new WeakMap<Shape, ReadonlyMap<string, Field>>();

function readersOf(shape: Shape): ReadonlyMap<string, Field> {
  let fields = readers.get(shape);
  if (!fields)
    readers.set(shape, (fields = new Map(fieldsOf(shape).map(({ name, schema }) => [name, fieldOf(schema)]))));
  return fields;
}

function fieldOf(schema: JsonSchema): Field {
  const value = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const item = (value.items as JsonSchema | undefined) ?? value;
  return {
    inner: classOf(schema),
    idOf: item['x-id'] as string | undefined,
    isTime: item.format === 'date-time',
    maxItems: (value.maxItems as number | undefined) ?? 0,
    type: schema.type,
  };
}

function issuesOf(error: ValidationError, above: Issue['path']): Issue[] {
  // class-validator names the items of a list by their index, as text.
  const path = [...above, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const message = Object.entries(error.constraints ?? {}).find(([name]) => name !== 'nestedValidation')?.[1];
  if (message) return [{ path, message }];
  return (error.children ?? []).flatMap((child) => issuesOf(child, path));
}

/**
 * Path and query values are text; the fields they fill may be numbers, flags or lists (commas between the items). What
 * does not convert is left as it came, so that the field's own rule refuses it with its own sentence.
 */
export function coerceText(shape: Shape, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = readersOf(shape);
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, coerced(fields.get(name)?.type, value)]),
  );
}

function coerced(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  if (type === 'number') return /^-?\d{1,15}(\.\d{1,15})?$/.test(value) ? Number(value) : value;
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value;
  if (type === 'array') return value === '' ? [] : value.split(',');
  return value;
}
