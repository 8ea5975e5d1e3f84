import { createHash } from 'node:crypto';

/** JSON with the keys of every object in order, so that the same request reads the same through either door. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`);
  return `{${entries.join(',')}}`;
}

/** What makes two requests the same: the operation and everything it was given, before defaults. */
export const fingerprintOf = (operation: string, input: object): string =>
  createHash('sha256').update(operation).update('\0').update(canonicalJson(input)).digest('hex');

/**
 * The Idempotency-Key of a request: 1–255 printable ASCII characters; the quoted form of the header's draft
 * (draft-ietf-httpapi-idempotency-key-header) and the bare form are the same key.
 *
 * @returns undefined when the value is no key.
 */
export function readIdempotencyKey(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const bare = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  return /^[\x20-\x7e]{1,255}$/.test(bare) && bare.trim() !== '' ? bare : undefined;
}
