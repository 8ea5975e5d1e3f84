import { createTwoFilesPatch } from 'diff';
import { comparedFields } from './compared-fields.js';
import type { FieldDiff } from '../../templates/template-preview.dto.js';
import type { VersionContent } from './template.dto.js';

/** Beyond this many changed lines a field is told as replaced whole, which takes no time to find out. */
const maxEditLength = 400;

/** What a version holds, without all that is known of it beside. */
export const contentOf = (version: VersionContent): VersionContent =>
  Object.fromEntries(comparedFields.map((field) => [field, version[field]])) as unknown as VersionContent;

const textOf = (value: VersionContent[keyof VersionContent]): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value, null, 2);

/** How two versions differ, a unified diff for each field that does. */
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
