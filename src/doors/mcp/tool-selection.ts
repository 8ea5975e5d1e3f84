import { invalidField, invalidInput, type Issue } from '#errors';
import type { Operation } from '#operations';

/** The tools that an address shows: `/mcp?toolsets=core,workflows&readonly=true&outputs=true`. */
export interface ToolSelection {
  /** Equal for equal selections. */
  readonly key: string;
  /** Whether tools are listed with the schemas of their results. */
  readonly outputs: boolean;
  /** Whether only some are listed, so that the others are called by their names. */
  readonly byName: boolean;
  /** Whether a client of 2025 opens pages, so that what waits for approval is an error that names its page. */
  readonly elicitsUrls: boolean;
  /** Whether an operation may be called at all, by its own tool or by its name. */
  allows(this: void, operation: Pick<Operation, 'effect'>): boolean;
  /** Whether its tool is listed. */
  includes(tool: { toolsets: readonly string[]; operation: Pick<Operation, 'effect'> }): boolean;
}

/** @throws validation_error for an unknown parameter or toolset: a misspelt `readonly` must not show everything. */
export function readSelection(query: Record<string, string>, known: () => ReadonlySet<string>): ToolSelection {
  const { toolsets, readonly, outputs, elicitation, ...others } = query;
  const unknown = Object.keys(others).map((name): Issue => ({ path: [name], message: 'Remove this parameter.' }));
  if (unknown.length > 0) throw invalidInput(unknown);
  const chosen = toolsets === undefined ? undefined : readToolsets(toolsets, known());
  const [readsOnly, withOutputs] = [readFlag('readonly', readonly), readFlag('outputs', outputs)];
  const allows: ToolSelection['allows'] = ({ effect }) => !readsOnly || effect === 'read';
  return {
    key: `${chosen ? [...chosen].sort().join(',') : '*'} ${readsOnly} ${withOutputs}`,
    outputs: withOutputs,
    elicitsUrls: readElicitation(elicitation),
    byName: chosen !== undefined,
    allows,
    includes: ({ toolsets: names, operation }) =>
      allows(operation) && (!chosen || names.some((name) => chosen.has(name))),
  };
}

function readFlag(name: string, text: string | undefined): boolean {
  if (text !== undefined && text !== 'true' && text !== 'false') throw invalidField([name], 'Send true or false.');
  return text === 'true';
}

function readElicitation(text: string | undefined): boolean {
  if (text !== undefined && text !== 'url') throw invalidField(['elicitation'], 'Send url, or leave it out.');
  return text === 'url';
}

function readToolsets(text: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const chosen = new Set(text.split(','));
  if ([...chosen].some((name) => !known.has(name))) {
    throw invalidField(['toolsets'], `Choose from: ${[...known].sort().join(', ')}; separated by commas.`);
  }
  return chosen;
}
