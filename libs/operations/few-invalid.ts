import { isPlainObject } from './field.js';
import { isSurelyValid } from './quick-check.js';
import { classOf, fieldsOf } from './schema.js';
import { memberOf } from './union.js';
import type { Shape } from './shape.js';

/**
 * How many invalid objects of its lists a response reports. Class-validator takes up to half a millisecond for each, and
 * nobody reads more.
 */
const mostReported = 20;

/**
 * A copy of invalid input whose lists have only the first invalid objects, in their places: class-validator skips the
 * empty places, so that it spends no time on objects that are valid or that nobody would read about.
 */
export function withFewInvalid<In extends object>(shape: Shape, input: In, left = { count: mostReported }): In {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(input) as object) as In, input);
  for (const { name, schema } of fieldsOf(memberOf(shape, input))) {
    const [inner, value] = [classOf(schema), (input as Record<string, unknown>)[name]];
    if (!inner) continue;
    if (Array.isArray(value)) Object.assign(copy, { [name]: firstInvalid(inner, value, left) });
    else if (isPlainObject(value)) Object.assign(copy, { [name]: withFewInvalid(inner, value, left) });
  }
  return copy;
}

function firstInvalid(inner: Shape, items: readonly unknown[], left: { count: number }): unknown[] {
  const few: unknown[] = [];
  few.length = items.length;
  for (const [index, item] of items.entries()) {
    if (!isPlainObject(item)) few[index] = item;
    else if (left.count > 0 && !isSurelyValid(inner, item)) {
      left.count -= 1;
      few[index] = withFewInvalid(inner, item, left);
    }
  }
  return few;
}
