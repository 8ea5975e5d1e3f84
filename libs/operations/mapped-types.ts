import type { Type } from '@nestjs/common';
import * as mapped from '@nestjs/mapped-types';
import { describeField, fieldsOf } from './schema.js';
import type { Shape } from './shape.js';

// Classes made of others, whose fields they take over with rules, schemas and defaults.

/** Every field may be left out, and null is allowed only where the field itself allows it. */
export function PartialType<T>(of: Type<T>): Type<Partial<T>> {
  return withSchemas(mapped.PartialType(of, { skipNullProperties: false }), [of], () => true, { required: false });
}

export function PickType<T, Key extends keyof T>(of: Type<T>, keys: readonly Key[]): Type<Pick<T, Key>> {
  return withSchemas(mapped.PickType(of, keys), [of], (name) => (keys as readonly unknown[]).includes(name));
}

export function OmitType<T, Key extends keyof T>(of: Type<T>, keys: readonly Key[]): Type<Omit<T, Key>> {
  return withSchemas(mapped.OmitType(of, keys), [of], (name) => !(keys as readonly unknown[]).includes(name));
}

export function IntersectionType<A, B, C = unknown, D = unknown>(
  ...of: [Type<A>, Type<B>, Type<C>?, Type<D>?]
): Type<A & B & C & D> {
  const all = of as Type<unknown>[];
  return withSchemas(mapped.IntersectionType(...all) as unknown as Type<A & B & C & D>, all);
}

function withSchemas<T>(
  made: Type<T>,
  of: readonly Type<unknown>[],
  has: (name: string) => boolean = () => true,
  extra: object = {},
): Type<T> {
  for (const { name, schema } of of.flatMap((one) => fieldsOf(one as Shape)))
    if (has(name)) describeField(made.prototype as object, name, { ...schema, ...extra });
  return made;
}
