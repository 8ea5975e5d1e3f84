import { readFileSync } from 'node:fs';

/**
 * Passwords that attackers try first, in lower case: the entries of at least 8 characters of the list that
 * `@zxcvbn-ts/language-common` 4.1.3 maintains (MIT, from published leaks). To renew it, copy those of a later release.
 */
const file = new URL('./common-passwords.txt', import.meta.url);

let known: ReadonlySet<string> | undefined;

/** Whether a password is one of them, also with digits and punctuation after it: `Password2026!`. */
export function isCommonPassword(password: string): boolean {
  known ??= new Set(readFileSync(file, 'utf8').trimEnd().split('\n'));
  const given = password.toLowerCase();
  return known.has(given) || known.has(given.replace(/[\d\p{P}\p{S}\s]+$/u, ''));
}
