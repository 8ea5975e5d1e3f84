import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata } from 'typeorm';

/**
 * The given fields that differ from a row, as stored: the same time in another time zone is not a change, and neither
 * is a document with its keys in another order.
 */
export function changesTo<T extends object>(metadata: EntityMetadata, row: T, given: Partial<T>): Partial<T> {
  const times = timesOf(metadata);
  const changes: Partial<T> = {};
  for (const name in given) {
    if (given[name] === undefined) continue;
    const value = (times.has(name) ? instant(given[name]) : given[name]) as T[typeof name];
    if (!isSameValue(row[name], value)) changes[name] = value;
  }
  return changes;
}

const knownTimes = new WeakMap<EntityMetadata, ReadonlySet<string>>();

/** The names of the fields that hold a time: found once, since thousands of rows may change at a time. */
function timesOf(metadata: EntityMetadata): ReadonlySet<string> {
  let times = knownTimes.get(metadata);
  if (!times) {
    const columns = metadata.columns.filter(({ type }) => type === 'timestamptz');
    knownTimes.set(metadata, (times = new Set(columns.map(({ propertyName }) => propertyName))));
  }
  return times;
}

/**
 * Whether two values are stored in the same way; an input is an instance of its class, a stored value a plain object.
 */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(plain(one), plain(other));

/** A copy of a record, independent of later changes. */
export const snapshotOf = <T extends object>(row: T): T =>
  Object.assign(Object.create(Object.getPrototypeOf(row) as object) as T, row);

const instant = (value: unknown): unknown => (typeof value === 'string' ? new Date(value).toISOString() : value);

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
    ? (JSON.parse(JSON.stringify(value)) as unknown)
    : value;
