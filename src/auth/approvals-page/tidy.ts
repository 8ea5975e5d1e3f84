/** A value with fields of its own. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

const isId = /^[a-z]+_[0-9a-f]{32}$/;

/** A value without what says nothing in it: fields that are not set, and the ids of items that nothing refers to. */
export function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (!isRecord(value)) return value;
  const said = Object.entries(value).filter(
    ([name, item]) => !isNothing(item) && !(name === 'id' && typeof item === 'string' && isId.test(item)),
  );
  return Object.fromEntries(said.map(([name, item]) => [name, tidy(item)]));
}
