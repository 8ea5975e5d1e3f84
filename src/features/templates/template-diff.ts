import { createTwoFilesPatch } from 'diff';
import { comparedFields } from './compared-fields.js';
import type { FieldDiff } from './template-preview.dto.js';
import type { VersionContent } from './template.dto.js';

/** A field with more changed lines than this is shown as replaced completely, which avoids the cost of a line diff. */
const maxEditLength = 400;

/** A version's content, without its metadata. */
export const contentOf = (version: VersionContent): VersionContent =>
  Object.fromEntries(comparedFields.map((field) => [field, version[field]])) as unknown as VersionContent;

const textOf = (value: VersionContent[keyof VersionContent]): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value, null, 2);

/** A unified diff for each field that differs between two versions. */
export function differences(before: VersionContent, after: VersionContent): FieldDiff[] {
  return comparedFields
    .map((field) => ({ field, from: textOf(before[field]), to: textOf(after[field]) }))
    .filter(({ from, to }) => from !== to)
    .map(({ field, from, to }) => ({ field, patch: patchOf(from, to) }));
}

function patchOf(from: string, to: string): string {
  const patch = createTwoFilesPatch('before', 'after', from, to, '', '', { maxEditLength });
  return (
    patch ?? [...from.split('\n').map((line) => `-${line}`), ...to.split('\n').map((line) => `+${line}`)].join('\n')
  );
}
