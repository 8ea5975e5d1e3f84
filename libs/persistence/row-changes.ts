import { isDeepStrictEqual } from 'node:util';
import type { EntityMetadata } from 'typeorm';

/**
 * What of the given fields differs from a row, as it is kept: the same moment in another time zone is no change, nor is a
 * document whose keys come in another order.
 */
export function changesTo<T extends object>({ columns }: EntityMetadata, row: T, given: Partial<T>): Partial<T> {
  const types = new Map(columns.map(({ propertyName, type }) => [propertyName, type]));
  const kept = Object.entries(given)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, types.get(name) === 'timestamptz' ? instant(value) : value] as const);
  return Object.fromEntries(kept.filter(([name, value]) => !isSameValue(row[name as keyof T], value))) as Partial<T>;
}

/** Whether two values are kept alike; an input is an instance of its class, what was read is a plain object. */
export const isSameValue = (one: unknown, other: unknown): boolean =>
  one === other || isDeepStrictEqual(plain(one), plain(other));

/** A record as it is now, apart from what becomes of it. */
export const snapshotOf = <T extends object>(row: T): T =>
  Object.assign(Object.create(Object.getPrototypeOf(row) as object) as T, row);

const instant = (value: unknown): unknown => (typeof value === 'string' ? new Date(value).toISOString() : value);

const plain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value)
    ? (JSON.parse(JSON.stringify(value)) as unknown)
    : value;
