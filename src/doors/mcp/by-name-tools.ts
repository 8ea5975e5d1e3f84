import type { Effect, Operation } from '#operations';
import { CallByName, FindOperations } from './by-name.dto.js';
import { annotationsOf, inputSchemaOf, type ToolDefinition } from './tool-definitions.js';

export const finder = 'findOperations';

/** Three tools and not one, because clients ask a person before a tool that changes or destroys something. */
export const callers: Readonly<Record<Effect, string>> = {
  read: 'readByName',
  write: 'changeByName',
  destructive: 'destroyByName',
};
const effects = Object.keys(callers) as Effect[];

/** The effect of the operations that a tool calls by their names; undefined for any other tool. */
export const effectCalledBy = (name: string): Effect | undefined => effects.find((effect) => callers[effect] === name);

export const verbs: Readonly<Record<Effect, string>> = {
  read: 'only reads',
  write: 'changes data',
  destructive: 'is destructive',
};

const titles: Readonly<Record<Effect, string>> = {
  read: 'Read by name',
  write: 'Change by name',
  destructive: 'Destroy by name',
};

/**
 * Four tools for an address that lists only some operations: they find the other operations and call them.
 *
 * @param unlisted the operations that the caller may use, but that are not listed.
 */
export function byNameTools(unlisted: readonly Operation[], usable: readonly Operation[]): ToolDefinition[] {
  const called = effects.filter((effect) => usable.some((operation) => operation.effect === effect));
  const names = unlisted.map(({ name }) => name).join(' ');
  const with_ = called.map((effect) => callers[effect]).join(', ');
  return [
    {
      name: finder,
      title: 'Find operations',
      description: `Finds more operations, by words or name. Call them with ${with_}. Available: ${names}.`,
      inputSchema: inputSchemaOf({ input: FindOperations }),
      annotations: annotationsOf('read', true, false),
    },
    ...called.map((effect) => ({
      name: callers[effect],
      title: titles[effect],
      description: `Calls an operation that ${verbs[effect]}, by its name from ${finder}.`,
      inputSchema: inputSchemaOf({ input: CallByName }),
      annotations: annotationsOf(effect, effect === 'read', true),
    })),
  ];
}
