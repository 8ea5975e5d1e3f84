import { versionMismatch } from '#access';
import type { Operation } from './operation.js';
import { fieldsOf } from './schema.js';

/** Whether the response is one record with a version. */
export const hasVersion = ({ output }: Operation): boolean =>
  (output.kind === 'one' || output.kind === 'saved') && fieldsOf(output.view).some(({ name }) => name === 'version');

/** Whether it changes an existing record, whose version a client may name (If-Match). */
export function changesOne(operation: Operation): boolean {
  const { effect, method, input, output, pathParameters, refuses } = operation;
  if (effect === 'read' || !hasVersion(operation)) return false;
  if (output.kind === 'saved' || method === 'PATCH' || refuses?.includes(versionMismatch)) return true;
  const addressed = pathParameters.at(-1);
  return addressed !== undefined && idOf(input, addressed) === idOf(output.view, 'id');
}

/** Of which kind the record is that a field names. */
const idOf = (shape: Operation['input'], field: string): unknown =>
  fieldsOf(shape).find(({ name }) => name === field)?.schema['x-id'];
