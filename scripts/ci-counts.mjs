import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Reads what jest wrote about runs that together are all tests, and about another run of the files that failed in them.
 *
 *   node scripts/ci-counts.mjs files run.json…                     the files to run again, one a line
 *   node scripts/ci-counts.mjs counts status again.json run.json…  what was mended by running alone, then the counts
 */

/** With more failed files than this, something is broken, and a second run would only take time. */
const mostFiles = 5;

const filesOf = (path) =>
  new Map(
    (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8') || '{}') : {}).testResults?.map((file) => [
      relative('.', file.name),
      file,
    ]),
  );
const inAll = (runs) => new Map(runs.flatMap((path) => [...filesOf(path)]));
const tests = (file, status) => file.assertionResults.filter((test) => test.status === status);
/** A file that could not run counts as one failed test. */
const failures = (file) => tests(file, 'failed').length || (file.status === 'failed' ? 1 : 0);

const [what, ...rest] = process.argv.slice(2);
if (what === 'files') {
  const failed = [...inAll(rest)].filter(([, file]) => failures(file) > 0).map(([name]) => name);
  if (failed.length <= mostFiles) for (const name of failed) console.log(name);
} else {
  const [status, again, ...runs] = rest;
  const files = inAll(runs);
  for (const [name, file] of filesOf(again)) {
    for (const test of tests(files.get(name), 'failed'))
      if (failures(file) === 0)
        console.log(`FLAKY: failed beside other suites, passed alone: ${name}: ${test.fullName}`);
    files.set(name, file);
  }
  const sum = (count) => [...files.values()].reduce((total, file) => total + count(file), 0);
  const passed = sum((file) => tests(file, 'passed').length);
  // Checks that failed, or a run that ended early, count as one.
  const failed = sum(failures) || (status === '0' ? 0 : 1);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
