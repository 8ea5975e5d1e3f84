import { isCalendarDate, isTimestamp } from '#operations';
import { builtIn } from './built-in-variable.js';
import type { TemplateVariable, VariableType } from './template.dto.js';
import { tooMuchData, valueMissing, valueOfAnotherType, variableTwice } from './templates.errors.js';

type Data = Record<string, unknown>;

/** Replaces an address that has no value. */
export const sampleUrl = 'https://example.com/';

const maxData = 50_000;
const isWord = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

const types: Record<VariableType, { takes: (value: unknown) => boolean; sample: (key: string) => unknown }> = {
  text: { takes: isWord, sample: (key) => `[${key}]` },
  number: { takes: (value) => typeof value === 'number', sample: () => 1 },
  boolean: { takes: (value) => typeof value === 'boolean', sample: () => true },
  date: { takes: (value) => isCalendarDate(value) || isTimestamp(value), sample: () => '2030-06-01' },
  url: { takes: (value) => typeof value === 'string' && URL.canParse(value), sample: () => sampleUrl },
  list: { takes: Array.isArray, sample: (key) => [`[${key}]`] },
};

/** @throws validation_error if one name would have two values. */
export function checkVariables(variables: readonly TemplateVariable[]): void {
  variables.forEach(({ key }, index) => {
    const collides = variables
      .filter((other, at) => at !== index && (at < index || other.key !== key))
      .some((other) => other.key === key || key.startsWith(`${other.key}.`));
    if (collides) throw variableTwice(index);
  });
}

/**
 * The data that the Liquid sees: a value for each declared variable, and nothing else.
 *
 * @param sampled whether a missing value is replaced by a sample, as for a preview.
 * @throws validation_error for a value of the wrong type, and for a required one that is missing.
 */
export function scopeOf(variables: readonly TemplateVariable[], data: Data, { sampled }: { sampled: boolean }): Data {
  if (JSON.stringify(data).length > maxData) throw tooMuchData();
  const scope: Data = {};
  for (const { key, type, required, fallback } of [...variables, builtIn]) {
    const given = valueAt(data, key);
    if (given !== undefined && !types[type].takes(given)) throw valueOfAnotherType(key, type);
    const value = given ?? fallback ?? (sampled ? types[type].sample(key) : undefined);
    if (value !== undefined) put(scope, key, value);
    else if (required && key !== builtIn.key) throw valueMissing(key);
  }
  return scope;
}

/** Only own properties: a client may send one called `constructor`. Null means the same as a missing value. */
function valueAt(data: Data, key: string): unknown {
  let value: unknown = data;
  for (const part of key.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Data)[part];
  }
  return value ?? undefined;
}

function put(scope: Data, key: string, value: unknown): void {
  const parts = key.split('.');
  const last = parts.pop() as string;
  let inner = scope;
  for (const part of parts) {
    if (!Object.hasOwn(inner, part)) inner[part] = {};
    inner = inner[part] as Data;
  }
  inner[last] = value;
}
