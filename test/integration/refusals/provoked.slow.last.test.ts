import { existsSync, readFileSync } from 'node:fs';
import type { Json } from '../../support/api.js';
import { sharedCodes } from './shared-codes.js';

/**
 * The errors that tests since the last whole run, or the last `npm test`, provoked (test/support/refusals.ts): files that
 * are run separately, and the slow ones, add to it.
 */
const { PROVOKED: file = '' } = process.env;

const paths: Record<string, Record<string, Json>> = JSON.parse(readFileSync('docs/openapi.json', 'utf8')).paths;
const declared = Object.values(paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ operationId, 'x-errors': errors }) =>
    (errors as Json[])
      .filter(({ code, key }) => key !== undefined || !sharedCodes.includes(code as string))
      .map(({ status, code, key = '' }) => `${operationId} ${status} ${code} ${key}`),
  );

(existsSync(file) ? it : it.skip)('each error that an operation declares for itself is provoked by a test', () => {
  const provoked = new Set(readFileSync(file, 'utf8').split('\n'));
  expect(declared.length).toBeGreaterThan(400);
  expect(declared.filter((one) => !provoked.has(one))).toEqual([]);
});
