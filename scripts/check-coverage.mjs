// Compares test/acceptance/COVERAGE.md with the statements and with the tests: every statement has a row, every named
// test exists and contains an assertion, and a row that names MCP has a test that uses it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testsIn } from './tests-in.mjs';

const folder = process.argv[2] ?? 'test/acceptance';
const coverageFile = join(folder, 'COVERAGE.md');
const faults = [];

const statements = new Set(
  [...readFileSync(join(folder, 'statements.md'), 'utf8').matchAll(/^- ([A-Z]+-\d+) /gm)].map(([, id]) => id),
);
const rows = [...readFileSync(coverageFile, 'utf8').matchAll(/^\| ([A-Z]+-\d+) +\| (.*) \| ([^|]*)\|$/gm)].map(
  ([, id, tests, doors]) => ({
    id,
    names: [...tests.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    doors: doors.trim(),
  }),
);
const tests = new Map(
  readdirSync(folder)
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => [...testsIn(join(folder, file))]),
);

for (const { id, names, doors } of rows) {
  if (names.length === 0) faults.push(`${id} names no test`);
  if (!/^(REST|MCP|REST, MCP)$/.test(doors)) faults.push(`${id} names the doors "${doors}"; write REST, MCP or both`);
  for (const name of names) {
    if (!tests.has(name)) faults.push(`${id} names a test that does not exist: ${name}`);
    else if (!tests.get(name)) faults.push(`${id} names a test without an expect(): ${name}`);
  }
  if (doors.includes('MCP') && !names.some(asksMcp)) faults.push(`${id} names MCP, and no test that asks there`);
}
const listed = rows.map(({ id }) => id);
for (const id of statements) if (!listed.includes(id)) faults.push(`${id} is missing`);
for (const id of new Set(listed)) {
  if (!statements.has(id)) faults.push(`${id} is no statement`);
  if (listed.filter((other) => other === id).length > 1) faults.push(`${id} is listed twice`);
}

if (faults.length > 0) {
  console.error(`${coverageFile}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
}

/** A test over both doors uses `door`; others call a tool directly. */
function asksMcp(name) {
  const code = tests.get(name) ?? '';
  return / over %s /.test(name) ? /\bdoor\b/.test(code) : /\bmcp|\bMCP\b/.test(code);
}
