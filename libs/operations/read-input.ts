import { type ValidationError, validateSync } from 'class-validator';
import { type Issue, invalidInput, MalformedId } from '#errors';
import { closest } from './closest.js';
import { withFewInvalid } from './few-invalid.js';
import { isPlainObject } from './field.js';
import { idPattern } from './fields.js';
import { isTimestamp } from './formats.js';
import { isSurelyValid } from './quick-check.js';
import { classOf, fieldsOf } from './schema.js';
import { isUnion, memberOf, tagOf } from './union.js';
import type { JsonSchema, Shape } from './shape.js';

/** The most issues in one response: more would take long to write, and nobody reads them. */
const mostIssues = 500;
/** For how many of them a similar name is looked for, which takes longer than rejecting the field. */
const mostCompared = 20;

/**
 * Reads an operation's input for REST and MCP: all errors are reported together, unknown fields are rejected, and a
 * malformed id is 404 if nothing else is wrong.
 *
 * @param at the path of the fields, if they are part of an input.
 * @throws validation_error with an issue for each failing field; not_found_error for a malformed id.
 */
export function readInput<In extends object>(
  shape: new () => In,
  raw: object,
  sofar: Issue[] = [],
  at: Issue['path'] = [],
): In {
  const findings: Findings = { issues: [...sofar] };
  const input = instanceOf(shape, raw as Record<string, unknown>, at, findings);
  const issues = [...findings.issues, ...errorsIn(shape, input).flatMap((error) => issuesOf(error, at))];
  if (issues.length > 0) throw invalidInput(issues.slice(0, mostIssues));
  if (findings.stranger !== undefined) throw new MalformedId(findings.stranger.prefix, findings.stranger.given);
  return input;
}

function errorsIn(shape: Shape, input: object): ValidationError[] {
  if (isSurelyValid(shape, input)) return [];
  const errors = validate(withFewInvalid(shape, input));
  // Where the quick check decides nothing, the invalid objects may be others than the first ones.
  return errors.length > 0 ? errors : validate(input);
}

const validate = (input: object): ValidationError[] => validateSync(input, { forbidUnknownValues: false });

interface Findings {
  issues: Issue[];
  /** The first malformed id, with the kind of record that it should identify. */
  stranger?: { prefix: string; given: string };
}

/**
 * The fields as an instance of their class, including nested objects. Only names of the class are copied, because a
 * client's own `constructor` or `hasOwnProperty` would mislead the validator.
 */
function instanceOf<In extends object>(
  shape: new () => In,
  raw: Readonly<Record<string, unknown>>,
  path: Issue['path'],
  findings: Findings,
): In {
  const own = memberOf(shape, raw) as new () => In;
  const fields = readersOf(own);
  const given: Record<string, unknown> = {};
  for (const name in raw) {
    // More are not named.
    if (findings.issues.length >= mostIssues) break;
    const [field, here, value] = [fields.get(name), [...path, name], raw[name]];
    if (field) given[name] = read(field, value, here, findings);
    // A value that selects no member of a union has one issue: the field that selects.
    else if (!isUnion(own)) {
      const isCompared = findings.issues.length < mostCompared;
      findings.issues.push({ path: here, message: unknownIn(own, raw, name, isCompared) });
    }
  }
  return Object.assign(new own(), given);
}

function unknownIn(shape: Shape, raw: object, name: string, isCompared: boolean): string {
  const tag = tagOf(shape, raw);
  const meant = isCompared ? closest(name, [...readersOf(shape).keys()]) : undefined;
  if (meant !== undefined) return `Unknown field: did you mean \`${meant}\`? Otherwise remove it.`;
  return tag === undefined ? 'Unknown field. Remove it.' : `${tag} does not have this field. Remove it.`;
}

function read(field: Field, value: unknown, path: Issue['path'], findings: Findings): unknown {
  if (!field.inner && field.idOf === undefined && !field.isTime && !field.isEmail) return value;
  if (Array.isArray(value)) {
    // One item too many is enough to reject the list; validating all items could take seconds.
    const items = value.slice(0, field.maxItems + 1);
    // So is one item that is not an object: class-validator would search nested lists endlessly.
    if (field.inner && !items.every(isPlainObject)) return [null];
    return items.map((item: unknown, index) => read(field, item, [...path, index], findings));
  }
  if (typeof value === 'string') {
    if (field.idOf !== undefined && !idPattern(field.idOf).test(value)) {
      findings.stranger ??= { prefix: field.idOf, given: value };
    }
    if (field.isEmail) return value.trim();
    // Times are converted to UTC with milliseconds: Postgres accepts no offset beyond 15:59.
    return field.isTime && isTimestamp(value) ? new Date(value).toISOString() : value;
  }
  return field.inner && isPlainObject(value) ? instanceOf(field.inner, value, path, findings) : value;
}

/** What reading a field needs to know about it; items of a list are read like the field itself. */
interface Field {
  /** The class of an object, or of the objects in a list. */
  readonly inner?: Shape;
  /** The kind of record that the id identifies. */
  readonly idOf?: string;
  readonly isTime: boolean;
  /** Spaces around an address are not part of it. */
  readonly isEmail: boolean;
  /** Absent if it is not a list. */
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
    isEmail: item.format === 'email',
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
 * Path and query values are text, but their fields may be numbers, flags or lists (separated by commas). Values that do
 * not convert stay as received, so that the field's own rule rejects them.
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
