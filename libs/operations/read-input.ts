import { plainToInstance } from 'class-transformer';
import { type ValidationError, validateSync } from 'class-validator';
import { type Issue, invalidInput, notFound } from '#errors';
import { idPattern, type JsonSchema } from './fields.js';
import { quickCheckOf } from './quick-check.js';
import { fieldsOf, type Shape } from './schema.js';

/**
 * Reads an operation's input, for REST and MCP alike: everything wrong is told at once, unknown fields are refused, and
 * an id that is none is 404 once nothing else is wrong.
 *
 * @throws validation_error with an issue for each failing field; not_found_error for a malformed id.
 */
export function readInput<In extends object>(shape: new () => In, raw: object, sofar: Issue[] = []): In {
  const good = sofar.length === 0 ? quickCheckOf(shape)?.(raw as Record<string, unknown>) : undefined;
  const input = (good as In | undefined) ?? checked(shape, raw, sofar);
  refuseMalformedIds(shape, input);
  return input;
}

function checked<In extends object>(shape: new () => In, raw: object, sofar: Issue[]): In {
  const input = plainToInstance(shape, raw);
  const errors = validateSync(input, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false });
  const issues = [...sofar, ...errors.flatMap((error) => issuesOf(error, []))];
  if (issues.length > 0) throw invalidInput(issues);
  return input;
}

function issuesOf(error: ValidationError, above: Issue['path']): Issue[] {
  // class-validator names the items of a list by their index, as text.
  const path = [...above, /^\d+$/.test(error.property) ? Number(error.property) : error.property];
  const [rule, message] = Object.entries(error.constraints ?? {}).find(([name]) => name !== 'nestedValidation') ?? [];
  if (rule === 'whitelistValidation') return [{ path, message: 'This field is not known here; leave it out.' }];
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
