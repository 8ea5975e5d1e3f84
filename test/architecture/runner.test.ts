import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** Runs planted test files as the suites are run, and answers what Jest counted. */
function planted(name: string) {
  const config = {
    rootDir: root,
    roots: ['<rootDir>/test/support/runner/planted'],
    testMatch: ['**/*.case.ts'],
    runner: '<rootDir>/test/support/runner/index.mjs',
    extensionsToTreatAsEsm: ['.ts'],
  };
  const jest = [resolve(root, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--json', name];
  const { stdout, status } = spawnSync(process.execPath, jest, { cwd: root, encoding: 'utf8' });
  return {
    status,
    ...(JSON.parse(stdout) as {
      numFailedTests: number;
      numFailedTestSuites: number;
      numPassedTests: number;
      success: boolean;
    }),
  };
}

describe('the runner of these tests', () => {
  it('fails what is wrong, late, thrown aside or never ends', () => {
    expect(planted('failing')).toMatchObject({ status: 1, success: false, numFailedTests: 6, numPassedTests: 1 });
  });

  it('fails a file whose process ends, and runs the next', () => {
    expect(planted('ending|failing')).toMatchObject({ numFailedTestSuites: 2, numPassedTests: 1 });
  });

  it('fails a file that cannot be loaded', () => {
    expect(planted('unloadable')).toMatchObject({ status: 1, success: false, numPassedTests: 0 });
  });
});
