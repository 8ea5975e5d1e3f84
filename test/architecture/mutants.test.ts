import { existsSync, readFileSync } from 'node:fs';
import { parseSync } from '@swc/core';
import { all } from '../../mutants/all.js';

// `npm run mutants` takes over an hour; this test reports immediately if its changes no longer fit the sources.
describe('each mutant', () => {
  it('changes a text that occurs in its source once', () => {
    const stale = all.flatMap(({ name, edits }) =>
      edits
        .filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2)
        .map(({ file }) => `${name}: ${file}`),
    );
    expect(stale).toEqual([]);
  });

  // Otherwise its suite does not start, and says nothing about the guard.
  it('leaves code that can be parsed', () => {
    const broken = all.filter(({ edits }) => {
      const files = [...Map.groupBy(edits, ({ file }) => file)].filter(([file]) => /\.tsx?$/.test(file));
      return !files.every(([file, own]) =>
        parses(
          own.reduce((text, { find, replace }) => text.replace(find, () => replace), readFileSync(file, 'utf8')),
          file.endsWith('x'),
        ),
      );
    });
    expect(broken.map(({ name }) => name)).toEqual([]);
  });

  it('names an existing suite', () => {
    expect(all.filter(({ suite }) => !existsSync(suite.file)).map(({ name }) => name)).toEqual([]);
  });
});

function parses(text: string, tsx: boolean): boolean {
  try {
    parseSync(text, { syntax: 'typescript', tsx, decorators: true, target: 'es2022' });
    return true;
  } catch {
    return false;
  }
}
