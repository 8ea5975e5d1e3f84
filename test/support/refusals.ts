import { appendFileSync } from 'node:fs';
import { type ErrorEnvelope, refusals } from '#errors';
import type { Operation } from '#operations';
import { refusalsOf } from '../../src/edge/refusals.js';

interface Refused extends ErrorEnvelope {
  operation: Operation;
  status: number;
}

const [declared, undeclared] = [new Set<string>(), new Set<string>()];

/** In-process services report their errors: each operation returns only errors that it declares. */
refusals.subscribe((message) => {
  const { operation, status, error } = message as Refused;
  // The client has closed the connection, so nobody reads it.
  if (status === 499) return;
  const key = error.details?.key;
  const refused = `${operation.name} ${status} ${error.code} ${(key as string | undefined) ?? ''}`;
  if (declared.has(refused)) return;
  const isDeclared = refusalsOf(operation).some(
    (one) => one.status === status && one.code === error.code && one.key === key,
  );
  (isDeclared ? declared : undeclared).add(refused);
});

/**
 * Records the provoked errors (see integration/refusals/provoked.slow.last.test.ts).
 *
 * @throws Error if an operation returned an error that it does not declare (`refuses` in its *.operations.ts).
 */
export function expectDeclared(): void {
  const { PROVOKED: file } = process.env;
  if (file) appendFileSync(file, [...declared, ''].join('\n'));
  const found = [...undeclared].join(', ');
  undeclared.clear();
  if (found !== '') throw new Error(`Undeclared refusals: ${found}`);
}
