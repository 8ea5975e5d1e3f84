import { type Issue, ServiceError } from '#errors';
import { fieldsOf, type Operation } from '#operations';
import { plainSchema } from './typed-input.js';

/** What is wrong with the filters of a list, by their names; undefined for an error about anything else. */
export function wrongFilters(
  error: unknown,
  { input }: Operation,
  filters: readonly string[],
): Record<string, string> | undefined {
  if (!(error instanceof ServiceError) || error.status !== 400) return undefined;
  const issues = (error.details.issues ?? []) as Issue[];
  const wrong = issues.map(({ path: [name], message }) => [String(name), message] as const);
  if (wrong.length === 0 || !wrong.every(([name]) => filters.includes(name))) return undefined;
  const schemas = new Map(fieldsOf(input).map(({ name, schema }) => [name, plainSchema(schema)]));
  const sentenceOf = (name: string): string | undefined => {
    const { minLength, maxLength } = schemas.get(name) ?? {};
    return Number(minLength) > 1 ? `Enter ${minLength as number} to ${maxLength as number} characters.` : undefined;
  };
  return Object.fromEntries(wrong.map(([name, message]) => [name, sentenceOf(name) ?? message]));
}
