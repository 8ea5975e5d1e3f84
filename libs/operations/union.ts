import type { Shape } from './shape.js';

interface Members {
  /** The field whose value selects the class. */
  readonly by: string;
  readonly of: () => Readonly<Record<string, Shape>>;
}

/** A member of a union as a type, by the function that names its classes. */
export type MemberOf<Of extends Members['of']> = InstanceType<ReturnType<Of>[keyof ReturnType<Of>]>;

const unions = new WeakMap<object, Members>();

/**
 * Makes a class the union of several classes that extend it; the value of the field `by` selects one of them. The class
 * itself has the fields that all of them share, and the rule for `by`. Validation, views, schemas and the OpenAPI document
 * follow from the classes of the members.
 */
export const Union =
  (by: string, of: Members['of']): ClassDecorator =>
  (shape) =>
    void unions.set(shape, { by, of });

/** The members of a union by the value that selects them; undefined for any other class. */
export function membersOf(shape: Shape): { by: string; members: Readonly<Record<string, Shape>> } | undefined {
  const union = unions.get(shape);
  return union && { by: union.by, members: union.of() };
}

/** The class that a value selects; the class of the union if it selects no member, and any other class as it is. */
export function memberOf(shape: Shape, value: object): Shape {
  const union = unions.get(shape);
  if (!union) return shape;
  const tag = (value as Record<string, unknown>)[union.by];
  const members = union.of();
  return typeof tag === 'string' && Object.hasOwn(members, tag) ? (members[tag] as Shape) : shape;
}

/** The value that selects the class as a member of a union; undefined for a class that is not a member. */
export function tagOf(shape: Shape, value: object): string | undefined {
  const union = unions.get(Object.getPrototypeOf(shape) as object);
  return union && ((value as Record<string, unknown>)[union.by] as string);
}

export const isUnion = (shape: Shape): boolean => unions.has(shape);
