import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata } from 'typeorm';

/**
 * The given fields that differ from a row, as stored: the same time in another time zone is not a change, and neither
 * is a document with its keys in another order.
 */
export function changesTo<T extends object>({ columns }: EntityMetadata, row: T, given: Partial<T>): Partial<T> {
  const types = new Map(columns.map(({ propertyName, type }) => [propertyName, type]));
  const kept = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, types.get(name) === 'timestamptz' ? instant(value) : value] as const);
  return Object.fromEntries(kept.filter(([name, value]) => !isSameValue(row[name as keyof T], value))) as Partial<T>;
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
