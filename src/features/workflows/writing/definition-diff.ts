import { createTwoFilesPatch } from 'diff';
import { type Definition, definitionFields } from '../definition.js';

/** A unified diff for each part that differs between two versions. It takes long enough to need a thread. */
export const differences = (before: Definition, after: Definition): { field: string; patch: string }[] =>
  definitionFields
    .map((field) => ({ field, from: textOf(before[field]), to: textOf(after[field]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, patch: createTwoFilesPatch('before', 'after', from, to, '', '') }));

const textOf = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
