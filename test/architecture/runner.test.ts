import { spawnSync } from 'node:child_process';
import { basename, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

interface Report {
  success: boolean;
  testResults: { name: string; message: string; assertionResults: { status: string; fullName: string }[] }[];
}

/** Runs planted test files as the suites are run, in one process after the other, and returns Jest's report. */
function planted() {
  const config = {
    rootDir: root,
    roots: ['<rootDir>/test/support/runner/planted'],
    testMatch: ['**/*.case.ts'],
    runner: '<rootDir>/test/support/runner/index.mjs',
    extensionsToTreatAsEsm: ['.ts'],
  };
  const jest = [
    resolve(root, 'node_modules/jest/bin/jest.js'),
    '--config',
    JSON.stringify(config),
    '--json',
    '-w',
    '1',
  ];
  const { stdout, status } = spawnSync(process.execPath, jest, { cwd: root, encoding: 'utf8' });
  return { status, ...(JSON.parse(stdout) as Report) };
}

describe('the runner of these tests', () => {
  const { status, success, testResults } = planted();
  const files = new Map(testResults.map((file) => [basename(file.name, '.case.ts'), file]));
  const names = (file: string, wanted: string) =>
    files
      .get(file)
      ?.assertionResults.filter((one) => one.status === wanted)
      .map(({ fullName }) => fullName);

  it('reports a failure', () => {
    expect([status, success]).toStrictEqual([1, false]);
  });

  it('fails tests that are wrong, late, throw outside or never end', () => {
    expect(names('failing', 'failed')).toHaveLength(7);
    expect(names('failing', 'passed')).toStrictEqual(['a right expectation passes']);
  });

  it('fails a file whose process ends, and runs the next', () => {
    expect(files.get('ending')).toMatchObject({ status: 'failed', assertionResults: [] });
    expect(files.size).toBe(3);
  });

  it('fails a file that cannot be loaded', () => {
    expect(files.get('unloadable')).toMatchObject({ status: 'failed', assertionResults: [] });
  });
});
