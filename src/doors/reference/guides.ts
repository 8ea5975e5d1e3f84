import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';

/** The files that GitHub shows too. */
const folder = join(dirname(findPackageJSON('..', import.meta.url) as string), 'docs');

export interface Guide {
  name: string;
  title: string;
  text: string;
}

/** Every guide, the list of them (README) first. */
export const guides = (): Guide[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { name: file.replace(/\.md$/, ''), title: /^# (.*)$/m.exec(text)?.[1] ?? file, text };
    });

/** Where a link of a guide leads on this service. */
export function targetOf(target: string): string | undefined {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [, name, part = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (name) return `/docs/guides/${name === 'README' ? '' : name}${part}`;
  return target === 'openapi.json' ? '/openapi.json' : undefined;
}
