import { type ValidationError, validateSync } from 'class-validator';
import { type Issue, invalidInput, notFound } from '#errors';
import { idPattern, type JsonSchema } from './fields.js';
import { isTimestamp } from './formats.js';
import { classOf, fieldsOf, type Shape } from './schema.js';

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
  const issues = [...sofar];
  const input = instanceOf(shape, raw, at, issues);
  const errors = validateSync(input, { forbidUnknownValues: false });
  issues.push(...errors.flatMap((error) => issuesOf(error, at)));
  if (issues.length > 0) throw invalidInput(issues);
  refuseMalformedIds(shape, input);
  return input;
}

/**
 * The fields as an instance of their class, objects inside too. Only names that the class has are copied: a client's own
 * `constructor` or `hasOwnProperty` would mislead the validator.
 */
function instanceOf<In extends object>(shape: new () => In, raw: object, path: Issue['path'], issues: Issue[]): In {
  const schemas = new Map(fieldsOf(shape).map(({ name, schema }) => [name, schema]));
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(raw)) {
    const [schema, here] = [schemas.get(name), [...path, name]];
    if (schema) given[name] = read(schema, value, here, issues);
    else issues.push({ path: here, message: 'This field is not known here; leave it out.' });
  }
  return Object.assign(new shape(), given);
}

/** Times are read as UTC with milliseconds, whatever offset they came with: Postgres knows none beyond 15:59. */
function read(schema: JsonSchema, value: unknown, path: Issue['path'], issues: Issue[]): unknown {
  const { format } = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  if (format === 'date-time' && isTimestamp(value)) return new Date(value).toISOString();
  const inner = classOf(schema);
  if (!inner || typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) return instanceOf(inner, value, path, issues);
  return value.map((item: unknown, index) => read({ 'x-class': () => inner }, item, [...path, index], issues));
}

function issuesOf(error: ValidationError, above: Issue['path']): Issue[] {
  // class-validator names the items of a list by their index, as text.
  const path = [...above, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const message = Object.entries(error.constraints ?? {}).find(([name]) => name !== 'nestedValidation')?.[1];
  if (message) return [{ path, message }];
  return (error.children ?? []).flatMap((child) => issuesOf(child, path));
}

function refuseMalformedIds(shape: Shape, input: object): void {
  for (const { name, prefix } of idFields(shape)) {
    const value = (input as Record<string, unknown>)[name];
    const ids = Array.isArray(value) ? value : [value];
    if (ids.some((id) => typeof id === 'string' && !idPattern(prefix).test(id)))
      throw notFound(prefix.replace('_', ' '));
  }
}

const known = new WeakMap<Shape, { name: string; prefix: string }[]>();

function idFields(shape: Shape): { name: string; prefix: string }[] {
  let fields = known.get(shape);
  if (!fields) {
    fields = fieldsOf(shape).flatMap(({ name, schema }) => {
      const inner = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
      const prefix = inner['x-id'] ?? (inner.items as JsonSchema | undefined)?.['x-id'];
      return typeof prefix === 'string' ? [{ name, prefix }] : [];
    });
    known.set(shape, fields);
  }
  return fields;
}

/**
 * Path and query values are text; the fields they fill may be numbers, flags or lists (commas between the items). What
 * does not convert is left as it came, so that the field's own rule refuses it with its own sentence.
 */
export function coerceText(shape: Shape, values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const schemas = new Map(fieldsOf(shape).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, coerced(schemas.get(name)?.type, value)]),
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
