import type { Secrecy } from './field.js';
import type { Operation } from './operation.js';
import { classOf, fieldsOf, type FieldSchema } from './schema.js';
import type { JsonSchema, Shape } from './shape.js';
import { memberOf } from './union.js';

/** Stands for a secret; its length says nothing about that of the secret. */
export const masked = '••••••';

type Find = (operation: string) => Pick<Operation, 'input'> | undefined;

/**
 * An input with its secrets masked: a person sees which ones are set, and which are removed.
 *
 * @param find operations by name, for inputs that contain the input of another operation.
 */
export function withoutSecrets(shape: Shape, input: object, find: Find): Record<string, unknown> {
  const schemas = new Map(fieldsOf(memberOf(shape, input)).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, shownOf(schemas.get(name) ?? {}, value, input, find)]),
  );
}

function shownOf(schema: FieldSchema, value: unknown, input: object, find: Find): unknown {
  if (schema['x-secret']) return hidden(value, schema['x-secret'] as Secrecy);
  const inner = classOf(schema) ?? itemOf(schema) ?? inputOf(schema, input, find);
  if (!inner) return value;
  if (Array.isArray(value)) return value.map((item) => partOf(inner, item, find));
  return partOf(inner, value, find);
}

const partOf = (shape: Shape, value: unknown, find: Find): unknown =>
  typeof value === 'object' && value !== null ? withoutSecrets(shape, value, find) : value;

/** The class of items that are read one by one. */
const itemOf = ({ items }: FieldSchema): Shape | undefined =>
  ((items as JsonSchema | undefined)?.['x-item'] as (() => Shape) | undefined)?.();

function inputOf({ 'x-input-of': field }: FieldSchema, input: object, find: Find): Shape | undefined {
  const operation = field === undefined ? undefined : (input as Record<string, unknown>)[field as string];
  return typeof operation === 'string' ? find(operation)?.input : undefined;
}

/** Names stay, so that a person sees which of several credentials are set. */
function hidden(value: unknown, secrecy: Secrecy): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (Array.isArray(value)) return value.map((item) => hidden(item, secrecy));
  if (typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, hidden(item, secrecy)]));
  return secrecy === 'value' ? masked : originOf(value);
}

/** An address may work like a key, and name a user and a password; its host says with whom data is exchanged. */
const originOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is, (_, scheme, user, host, rest) =>
        [scheme, user && `${masked}@`, host, rest && `/${masked}`].join(''),
      )
    : value;
