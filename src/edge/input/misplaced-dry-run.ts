import type { Door, RawInput } from '#context';
import type { Issue } from '#errors';
import type { Operation } from '#operations';

/** What a tool call has in its `_meta` to be a rehearsal. */
export const dryRunMeta = 'property-operations/dryRun';

const inMeta = `Send _meta: {"${dryRunMeta}": true} beside the arguments to rehearse the write.`;
const inQuery = 'Send dryRun=true in the query, spelled like this, to rehearse the write.';

/**
 * A write with dryRun in another place or spelling says how to rehearse it: who just removed the field would really
 * perform the write.
 *
 * @returns the input without it, and an issue for each.
 */
export function takeMisplacedDryRun(
  door: Door,
  { effect }: Pick<Operation, 'effect'>,
  raw: RawInput,
): { rest: RawInput; misplaced: Issue[] } {
  if (effect === 'read') return { rest: raw, misplaced: [] };
  const [query, body] = [misspelledIn(raw.query), misspelledIn(raw.body)];
  const misplaced = [...query, ...body].map((name) => ({ path: [name], message: door === 'rest' ? inQuery : inMeta }));
  if (misplaced.length === 0) return { rest: raw, misplaced };
  const rest = { ...raw, query: without(query, raw.query), body: without(body, raw.body) };
  return { rest: rest as RawInput, misplaced };
}

/** Why a call of a write is refused whose `_meta` has dryRun without its prefix, which would be ignored. */
export const refusalOfMeta = ({ effect }: Pick<Operation, 'effect'>, meta: object): string | undefined =>
  effect !== 'read' && misspelledIn(meta).length > 0 ? inMeta : undefined;

/** The names of fields that are meant to rehearse the write. */
function misspelledIn(fields: unknown): string[] {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return [];
  return Object.keys(fields).filter((name) => /^dry[_-]?run$/i.test(name));
}

const without = (names: readonly string[], fields: unknown): unknown =>
  names.length === 0
    ? fields
    : Object.fromEntries(Object.entries(fields as object).filter(([name]) => !names.includes(name)));
