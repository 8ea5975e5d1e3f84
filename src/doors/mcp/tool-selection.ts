import { invalidField, invalidInput, type Issue } from '#errors';
import type { Operation } from '#operations';

/** The tools that an address shows: `/mcp?toolsets=tasks,properties&readonly=true`. */
export interface ToolSelection {
  /** Equal for equal selections. */
  readonly key: string;
  includes(tool: { toolsets: readonly string[]; operation: Pick<Operation, 'effect'> }): boolean;
}

const everything: ToolSelection = { key: '', includes: () => true };

/** @throws validation_error for an unknown parameter or toolset: a misspelt `readonly` must not show everything. */
export function readSelection(query: Record<string, string>, known: () => ReadonlySet<string>): ToolSelection {
  const { toolsets, readonly, ...others } = query;
  const unknown = Object.keys(others).map((name): Issue => ({ path: [name], message: 'Remove this parameter.' }));
  if (unknown.length > 0) throw invalidInput(unknown);
  if (toolsets === undefined && readonly === undefined) return everything;
  if (readonly !== undefined && readonly !== 'true' && readonly !== 'false') {
    throw invalidField(['readonly'], 'Send true or false.');
  }
  const chosen = toolsets === undefined ? undefined : readToolsets(toolsets, known());
  const readsOnly = readonly === 'true';
  return {
    key: `${chosen ? [...chosen].sort().join(',') : '*'} ${readsOnly}`,
    includes: ({ toolsets: names, operation }) =>
      (!chosen || names.some((name) => chosen.has(name))) && (!readsOnly || operation.effect === 'read'),
  };
}

function readToolsets(text: string, known: ReadonlySet<string>): ReadonlySet<string> {
  const chosen = new Set(text.split(','));
  if ([...chosen].some((name) => !known.has(name))) {
    throw invalidField(['toolsets'], `Choose from: ${[...known].sort().join(', ')}; separated by commas.`);
  }
  return chosen;
}
