// Holds docs/security.md to the tests: each line of its tables names tests, each file that is named exists below test/,
// and each name in quotes is a test with an expect() in the file before it, or in one that the page names elsewhere.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testsIn } from './tests-in.mjs';

const page = process.argv[2] ?? 'docs/security.md';
const faults = [];
const tests = new Map();

const passages = readFileSync(page, 'utf8')
  .split(/\n{2,}|\n(?=\|)/)
  .map((text) => text.replaceAll(/\s+/g, ' '))
  .map((text) => ({ isRow: /^\| (?!-+ )/.test(text), text: text.split(' | ').at(-1) }));
for (const file of passages.flatMap(({ text }) => filesIn(text))) {
  const path = join('test', file);
  if (existsSync(path)) tests.set(file, [...testsIn(path)]);
  else faults.push(`test/${file} does not exist`);
}
for (const { isRow, text } of passages) {
  const named = [...text.matchAll(/`([\w/.-]+\.test\.ts)`|"([^"]+)"/g)];
  const isHead = isRow && text.trim() === 'Test |';
  if (isRow && !isHead && named.length === 0) faults.push(`a line names no test: ${text}`);
  let file;
  for (const [, path, title] of named) {
    if (path) file = path;
    else if (!isTest(title, file)) faults.push(`no test ${file ? `of ${file} ` : ''}is called "${title}"`);
  }
}

if (faults.length > 0) {
  console.error(`${page}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
}

function filesIn(text) {
  return [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file]) => file);
}

/** A name that ends in … is the beginning of a test's. */
function isTest(title, file) {
  const candidates = file ? (tests.get(file) ?? []) : [...tests.values()].flat();
  return candidates.some(([name, asserts]) => {
    const own = name.split(' › ').at(-1);
    return asserts && (title.endsWith('…') ? own.startsWith(title.slice(0, -1)) : own === title);
  });
}
