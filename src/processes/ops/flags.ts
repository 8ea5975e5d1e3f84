import { invalidInput, type Issue, ServiceError } from '#errors';
import { closest, coerceText, fieldsOf, readInput, type Shape } from '#operations';

/** `requireTwoFactor` ↔ `--require-two-factor`. */
export const flagOf = (field: string): string =>
  `--${field.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/**
 * Reads `--flag value` and `--flag=value` as the fields of a command's input, by the same rules as the API's.
 *
 * @throws validation_error with an issue for each flag that is wrong; not_found_error for a malformed id.
 */
export function readFlags<In extends object>(shape: new () => In, words: readonly string[]): In {
  const fields = new Map(fieldsOf(shape).map(({ name }) => [flagOf(name), name]));
  const lists = new Set(fieldsOf(shape).flatMap(({ name, schema }) => (schema.type === 'array' ? [name] : [])));
  const given: Record<string, string> = {};
  const issues: Issue[] = [];
  for (const { flag, value } of pairs(words)) {
    const field = fields.get(flag);
    if (!field) issues.push({ path: [flag], message: unknownFlag(flag, [...fields.keys()]) });
    else if (value === undefined) issues.push({ path: [flag], message: `Pass a value: ${flag} <value>.` });
    else if (field in given && lists.has(field)) given[field] += `,${value}`;
    else if (field in given) issues.push({ path: [flag], message: 'Pass this flag only once.' });
    if (field) given[field] ??= value ?? '';
  }
  return readInput(shape, coerceText(shape, given), issues);
}

/** A word that is not a flag belongs to the flag before it; no such word may come before the first flag. */
function* pairs(words: readonly string[]): Generator<{ flag: string; value?: string }> {
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as string;
    const [, flag, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const next = words[index + 1];
    if (flag) yield { flag, value };
    else if (word.startsWith('--') && next !== undefined && !next.startsWith('--')) {
      yield { flag: word, value: next };
      index += 1;
    } else yield { flag: word };
  }
}

function unknownFlag(given: string, flags: string[]): string {
  if (flags.length === 0) return 'This command takes no flags.';
  const meant = closest(given, flags);
  return `Unknown flag${meant ? `; did you mean ${meant}?` : '.'} The flags are ${flags.join(', ')}.`;
}

/** Issues name fields, but people who type commands know flags. One issue per flag is enough. */
export function namingFlags(error: unknown, shape: Shape): unknown {
  if (!(error instanceof ServiceError) || !Array.isArray(error.details.issues)) return error;
  const fields = new Set(fieldsOf(shape).map(({ name }) => name));
  const seen = new Set<unknown>();
  const issues = (error.details.issues as Issue[])
    .map(({ path: [first, ...rest], message }) => ({
      path: [fields.has(String(first)) ? flagOf(String(first)) : String(first), ...rest],
      message,
    }))
    .filter(({ path: [flag] }) => !seen.has(flag) && seen.add(flag));
  return invalidInput(issues);
}
