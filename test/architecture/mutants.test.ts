import { existsSync, readFileSync } from 'node:fs';
import { all } from '../../mutants/all.js';

// What `npm run mutants` tries takes over an hour; that its changes still fit the sources is told at once.
describe('each mutant', () => {
  it('changes a text that its source has once', () => {
    const stale = all.flatMap(({ name, edits }) =>
      edits
        .filter(({ file, find }) => readFileSync(file, 'utf8').split(find).length !== 2)
        .map(({ file }) => `${name}: ${file}`),
    );
    expect(stale).toEqual([]);
  });

  it('is looked for in a suite that there is', () => {
    expect(all.filter(({ suite }) => !existsSync(suite.file)).map(({ name }) => name)).toEqual([]);
  });
});
