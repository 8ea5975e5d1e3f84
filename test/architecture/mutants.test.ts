import { existsSync, readFileSync } from 'node:fs';
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

  it('names an existing suite', () => {
    expect(all.filter(({ suite }) => !existsSync(suite.file)).map(({ name }) => name)).toEqual([]);
  });
});
