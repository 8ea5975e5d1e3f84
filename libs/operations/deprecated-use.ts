import type { Deprecation } from './deprecation.js';
import type { Operation } from './operation.js';
import { fieldsOf } from './schema.js';

/** What a request uses that is deprecated: the operation itself, or the first field that it gives. */
export function deprecationOf(
  { deprecated, input }: Pick<Operation, 'deprecated' | 'input'>,
  given: object = {},
): Deprecation | undefined {
  if (deprecated) return deprecated;
  const used = fieldsOf(input).find(({ name, schema }) => schema['x-deprecated'] && name in given);
  return used?.schema['x-deprecated'] as Deprecation | undefined;
}
