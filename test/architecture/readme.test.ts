import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { cellVariables } from '../../src/processes/ops/inherited-variables.js';

const root = resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map((match) => match[1] as string))].toSorted();

describe('docs/operating.md', () => {
  it('lists exactly the variables that the configuration reads', () => {
    const readers = globSync('src/platform/config/*.ts', { cwd: root }).map(read).join('\n');
    const variables = matches(readers, /(?:\benv\.|\benv, '|\{ )([A-Z][A-Z_]+)\b/g);
    expect(variables.length).toBeGreaterThan(10);
    expect(matches(read('docs/operating.md'), /^\| `([A-Z_]+)`/gm)).toEqual(variables);
  });

  it('lists what `ops regions` sets for each cell, and what its cells inherit', () => {
    const given = matches(read('src/processes/ops/regions.ts'), /\b([A-Z][A-Z_]+):/g);
    const documented = matches(read('docs/operating.md'), /^\| `([A-Z_]+)`/gm);
    expect(documented.filter((name) => !given.includes(name) && !cellVariables.includes(name))).toEqual([]);
  });
});

describe('README, CONTRIBUTING and docs/operating.md', () => {
  it('name existing scripts', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const pages = ['README.md', 'CONTRIBUTING.md', 'docs/operating.md'].map(read).join('\n');
    const named = matches(pages, /npm run (?:-s )?([\w:-]+)/g);
    expect(named).toEqual(expect.arrayContaining(['check', 'jest', 'ops']));
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe('src/README.md', () => {
  const page = read('src/README.md');
  const rows = [...page.matchAll(/^\| `(\w+)\/` *\|(.*)\|(.*)\|$/gm)].map(
    (row) => row.slice(1) as [string, string, string],
  );
  const floors = rows.map(([floor]) => floor);

  it('describes the floors in the order of the rules', () => {
    expect(read('.dependency-cruiser.js')).toContain(`const floors = ['${floors.join("', '")}'];`);
    expect(globSync('src/*/', { cwd: root }).toSorted()).toEqual(floors.map((floor) => `src/${floor}`).toSorted());
  });

  it.each(rows)('describes the floor %s, and names its folders', (floor, belongs, folders) => {
    expect(belongs.trim()).toMatch(/^[A-Z].*\.$/);
    const found = globSync(`src/${floor}/*/`, { cwd: root }).map((folder) => folder.split('/').at(-1));
    expect(matches(folders, /`([a-z-]+)\/`/g)).toEqual(found.toSorted());
  });
});

describe('docs/errors.md', () => {
  it('contains the sentences of the sources, and every code of the *.errors.ts', () => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/error-catalogue.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const codes = globSync('src/**/*.errors.ts', { cwd: root }).flatMap((file) =>
      matches(read(file), /'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g),
    );
    expect(codes.length).toBeGreaterThan(80);
    const page = read('docs/errors.md');
    expect(codes.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
  });
});
