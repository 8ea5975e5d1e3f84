import type { Secrecy } from './field.js';
import type { Operation } from './operation.js';
import { classOf, fieldsOf, type FieldSchema } from './schema.js';
import type { JsonSchema, Shape } from './shape.js';
import { memberOf } from './union.js';

/** Stands for a secret; its length says nothing about that of the secret. */
export const masked = '••••••';

type Find = (operation: string) => Pick<Operation, 'input'> | undefined;
type Path = readonly (string | number)[];
/** What stands for a secret at a place. */
type Replace = (secret: unknown, secrecy: Secrecy, path: Path) => unknown;

/**
 * An input with its secrets masked: a person sees which ones are set, and which are removed.
 *
 * @param find operations by name, for inputs that contain the input of another operation.
 */
export function withoutSecrets(shape: Shape, input: object, find: Find): Record<string, unknown> {
  return withSecretsReplaced(shape, input, { find, replace: hidden });
}

/** An input in which the masks that a client sent back stand for the secrets of an earlier input again. */
export function withSecretsOf(earlier: object, shape: Shape, input: object, find: Find): Record<string, unknown> {
  const replace: Replace = (secret, secrecy, path) => restored(secret, valueAt(earlier, path), secrecy);
  return withSecretsReplaced(shape, input, { find, replace });
}

/** An input with something else in the place of each secret. */
export function withSecretsAs(
  shape: Shape,
  input: object,
  find: Find,
  as: (secret: unknown) => unknown,
): Record<string, unknown> {
  return withSecretsReplaced(shape, input, { find, replace: (secret) => as(secret) });
}

/** The places of secrets that are only masks. */
export function masksIn(shape: Shape, input: object, find: Find): Path[] {
  const paths: Path[] = [];
  const replace: Replace = (secret, _, path) => {
    if (JSON.stringify(secret)?.includes(masked)) paths.push(path);
    return secret;
  };
  withSecretsReplaced(shape, input, { find, replace });
  return paths;
}

interface Replacing {
  find: Find;
  replace: Replace;
}

function withSecretsReplaced(shape: Shape, input: object, how: Replacing, path: Path = []): Record<string, unknown> {
  const schemas = new Map(fieldsOf(memberOf(shape, input)).map(({ name, schema }) => [name, schema]));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      replacedIn(schemas.get(name) ?? {}, value, input, how, [...path, name]),
    ]),
  );
}

function replacedIn(schema: FieldSchema, value: unknown, input: object, how: Replacing, path: Path): unknown {
  if (schema['x-secret']) return how.replace(value, schema['x-secret'] as Secrecy, path);
  const inner = classOf(schema) ?? itemOf(schema) ?? inputOf(schema, input, how.find);
  if (!inner) return value;
  if (Array.isArray(value)) return value.map((item, index) => partOf(inner, item, how, [...path, index]));
  return partOf(inner, value, how, path);
}

const partOf = (shape: Shape, value: unknown, how: Replacing, path: Path): unknown =>
  typeof value === 'object' && value !== null ? withSecretsReplaced(shape, value, how, path) : value;

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

/** Items of lists have no name by which to find an earlier one, so their masks remain. */
function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof name === 'string' && typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined,
    input,
  );
}

function restored(value: unknown, earlier: unknown, secrecy: Secrecy): unknown {
  if (typeof value !== 'object' || value === null)
    return earlier !== undefined && value === hidden(earlier, secrecy) ? earlier : value;
  if (Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, restored(item, valueAt(earlier, [name]), secrecy)]),
  );
}

/** An address may work like a key, and name a user and a password; its host says with whom data is exchanged. */
const originOf = (value: unknown): unknown =>
  typeof value === 'string'
    ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/is, (_, scheme, user, host, rest) =>
        [scheme, user && `${masked}@`, host, rest && `/${masked}`].join(''),
      )
    : value;
