import type { Operation } from './operation.js';
import { fieldsOf } from './schema.js';

/** Whether the response is one record with a version. */
export const hasVersion = ({ output }: Operation): boolean =>
  (output.kind === 'one' || output.kind === 'saved') && fieldsOf(output.view).some(({ name }) => name === 'version');

/** Whether it changes a record that exists, of which a client may name the version (If-Match). */
export const changesOne = (operation: Operation): boolean =>
  operation.effect !== 'read' &&
  (operation.pathParameters.length > 0 || operation.method === 'PATCH') &&
  hasVersion(operation);
