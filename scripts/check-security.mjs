// Compares docs/security.md, docs/reliability.md and docs/asvs.md with the tests: each line of their tables of tests names
// tests, or gives one of the reasons that docs/asvs.md explains; each file that is named exists; and each name in quotes is
// a test with an expect() in the file before it, or in one that the page names elsewhere. docs/asvs.md names each
// requirement once.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { testsIn } from './tests-in.mjs';

/** How many requirements of levels 1 and 2 each section of ASVS 5.0.0 has: V1.1 has two. They are numbered from one. */
const sections = {
  V1: [2, 9, 11, 3, 2],
  V2: [3, 3, 4, 1],
  V3: [0, 2, 4, 6, 5, 0, 2],
  V4: [3, 1, 2, 4],
  V5: [1, 3, 2, 3],
  V6: [3, 12, 4, 4, 5, 3, 0, 4],
  V7: [3, 4, 2, 5, 2, 2],
  V8: [2, 3, 1, 1],
  V9: [3, 4],
  V10: [2, 2, 4, 11, 5, 2, 3],
  V11: [2, 3, 3, 4, 1, 1],
  V12: [3, 2, 4],
  V13: [1, 5, 2, 5],
  V14: [2, 4, 3],
  V15: [3, 3, 7],
  V16: [1, 5, 4, 3, 3],
  V17: [1, 4, 2],
};
const reason = /(?:^|[.;] )(?:Does not apply|Not met|Operator|Reviewed): \S/;

const pages =
  process.argv.length > 2 ? process.argv.slice(2) : ['docs/security.md', 'docs/reliability.md', 'docs/asvs.md'];
for (const page of pages) {
  const text = readFileSync(page, 'utf8');
  const faults = [...faultsOfTests(text), ...(basename(page) === 'asvs.md' ? faultsOfRequirements(text) : [])];
  if (faults.length === 0) continue;
  console.error(`${page}:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  process.exitCode = 1;
}

function faultsOfTests(page) {
  const faults = [];
  const tests = new Map();
  const passages = passagesOf(page);
  for (const file of passages.flatMap(({ text }) => filesIn(text))) {
    const path = join('test', file);
    if (existsSync(path)) tests.set(file, [...testsIn(path)]);
    else faults.push(`test/${file} does not exist`);
  }
  for (const { needsTest, text } of passages) {
    const named = [...text.matchAll(/`([\w/.-]+\.test\.ts)`|"([^"]+)"/g)];
    if (needsTest && named.length === 0 && !reason.test(text)) faults.push(`a line names no test: ${text}`);
    for (const [, path] of text.matchAll(/`((?:src|libs)\/[\w/.-]+)`/g)) {
      if (!existsSync(path)) faults.push(`${path} does not exist`);
    }
    let file;
    for (const [, path, title] of named) {
      if (path) file = path;
      else if (!isTest(tests, title, file)) faults.push(`no test ${file ? `of ${file} ` : ''}is called "${title}"`);
    }
  }
  return faults;
}

/** The last cell of each row, and every other paragraph. Only tables whose last column is "Test" need tests. */
function passagesOf(page) {
  let hasTests = false;
  return page
    .split(/\n{2,}|\n(?=\|)/)
    .map((text) => text.replaceAll(/\s+/g, ' '))
    .map((text, index, all) => {
      const last = text.split(' | ').at(-1);
      const isHead = /^\| -+ /.test(all[index + 1] ?? '');
      if (isHead) hasTests = last.trim() === 'Test |';
      return { needsTest: hasTests && !isHead && /^\| (?!-+ )/.test(text), text: last };
    });
}

function filesIn(text) {
  return [...text.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, file]) => file);
}

/** A name that ends in … is the beginning of a test's name. */
function isTest(tests, title, file) {
  const candidates = file ? (tests.get(file) ?? []) : [...tests.values()].flat();
  return candidates.some(([name, asserts]) => {
    const own = name.split(' › ').at(-1);
    return asserts && (title.endsWith('…') ? own.startsWith(title.slice(0, -1)) : own === title);
  });
}

function faultsOfRequirements(page) {
  const expected = Object.entries(sections).flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
  );
  const named = [...page.matchAll(/^\| (V\d[^|]*)\|/gm)].flatMap(([, cell]) => cell.match(/V\d+\.\d+\.\d+/g) ?? []);
  const times = Map.groupBy(named, (id) => id);
  return [
    ...expected.filter((id) => !times.has(id)).map((id) => `${id} is missing`),
    ...[...times].filter(([, all]) => all.length > 1).map(([id, all]) => `${id} is named ${all.length} times`),
    ...[...times.keys()]
      .filter((id) => !expected.includes(id))
      .map((id) => `${id} is no requirement of levels 1 and 2`),
  ];
}
