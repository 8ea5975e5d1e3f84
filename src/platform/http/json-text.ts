import { isAscii } from 'node:buffer';
import { invalidField, type ServiceError } from '#errors';
import { hasAtMost } from './json-values.js';

const maxDepth = 64;
/** To parse and check a value takes far longer than to read a byte, so a body of few bytes could have too many of them. */
const maxValues = 20_000;

/**
 * The value of JSON text, read strictly: UTF-8, a limited number of values, at most 64 levels, no NUL, no lone
 * surrogate, no `__proto__`. Threads load this too.
 *
 * @throws validation_error.
 */
export function readJsonText(bytes: Buffer): unknown {
  const value = parseJson(bytes);
  checkValue(value);
  return value;
}

/** The first half of `readJsonText`; `checkValue` is the second. */
export function parseJson(bytes: Buffer): unknown {
  if (!hasAtMost(bytes, maxValues)) throw refused(`The body can contain at most ${maxValues} values.`);
  return parse(bytes);
}

export const refused = (message: string): ServiceError => invalidField([], message);

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    // Text that is only ASCII, such as a file in base64, is decoded many times as fast.
    text = isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes);
  } catch {
    throw refused('The body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused('The body is not valid JSON.');
  }
}

/** Rejects characters that no field may contain, anywhere in the value. */
export function checkValue(value: unknown, depth = 1): void {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw refused(`The body can be nested at most ${maxDepth} levels deep.`);
  if (Array.isArray(value)) return value.forEach((item) => checkValue(item, depth + 1));
  // A parsed value has only its own fields; listing them first would take twice as long.
  for (const key in value) {
    checkText(key);
    if (key === '__proto__') throw invalidField(['__proto__'], 'Unknown field. Remove it.');
    checkValue((value as Record<string, unknown>)[key], depth + 1);
  }
}

export function checkText(text: string): void {
  if (text.includes('\0')) throw refused('Text cannot contain the NUL character.');
  if (!text.isWellFormed()) throw refused('Text cannot contain half of a surrogate pair.');
}
