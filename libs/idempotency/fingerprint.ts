import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DecodedBase64 } from '#bytes';

/** A longer text is hashed in parts, so that other work gets its turn in between. */
const longText = 262_144;

/**
 * JSON with the keys of every object in order, so that the same request reads the same through either door.
 *
 * @param long takes the texts that are too long to be written at a time; a NUL, which JSON never holds, stands for each.
 */
export function canonicalJson(value: unknown, long: (string | DecodedBase64)[] = []): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, long)).join(',')}]`;
  const isLong = value instanceof DecodedBase64 || (typeof value === 'string' && value.length > longText);
  if (isLong) return `${long.push(value) && '\0'}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item, long)}`);
  return `{${entries.join(',')}}`;
}

/** The identity of a request: the operation and its complete input, before defaults. */
export async function fingerprintOf(operation: string, input: object): Promise<string> {
  const hash = createHash('sha256').update(operation).update('\0');
  const long: (string | DecodedBase64)[] = [];
  const [head = '', ...others] = canonicalJson(input, long).split('\0');
  hash.update(head);
  for (const [index, text] of long.entries()) {
    hash.update('"');
    for (const chunk of chunksOf(text)) {
      await nextTurn();
      hash.update(JSON.stringify(chunk).slice(1, -1));
    }
    hash.update('"').update(others[index] as string);
  }
  return hash.digest('hex');
}

/** No part ends between the halves of a surrogate pair, which JSON would write differently. */
function* chunksOf(text: string | DecodedBase64): Generator<string, void> {
  if (typeof text !== 'string') {
    yield* text.parts(longText);
    return;
  }
  for (let from = 0; from < text.length;) {
    const isWhole = (text.codePointAt(from + longText - 1) ?? 0) <= 0xffff;
    const to = from + longText + (isWhole ? 0 : 1);
    yield text.slice(from, to);
    from = to;
  }
}

/**
 * The Idempotency-Key of a request: 1–255 printable ASCII characters. The quoted form of the header's draft
 * (draft-ietf-httpapi-idempotency-key-header) and the bare form are the same key.
 *
 * @returns undefined if the value is not a key.
 */
export function readIdempotencyKey(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const bare = /^".*"$/.test(value) ? value.slice(1, -1) : value;
  return /^[\x20-\x7e]{1,255}$/.test(bare) && bare.trim() !== '' ? bare : undefined;
}
