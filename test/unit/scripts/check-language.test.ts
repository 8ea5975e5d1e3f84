import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'pos-language-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function check(files: Record<string, string>, ...flags: string[]): { status: number | null; faults: string[] } {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-language.mjs', folder, ...flags], {
    encoding: 'utf8',
  });
  return { status, faults: stderr.trim().split('\n').filter(Boolean) };
}

const turns = [
  'A copy of a running database is none.',
  'This is no calendar.',
  'The event tells of a stay.',
  'They were told of it.',
  'Say what to change.',
  'Connect it anew.',
  'It is removed for good.',
  'It starts by itself.',
  'It is where the stay stands.',
  'Whoever knows it can read it.',
  'Whatever is changed leaves an entry.',
  'It is given in the path alone.',
  'It is sent at once.',
  'It was changed meanwhile.',
  'The work has begun.',
  'The work came to nothing.',
  'The record goes away.',
  'A value that is what cannot be.',
  'The sync goes on.',
  'It waited in vain.',
  'It is sent all the same.',
  'It moves the stays to come.',
  'It has not the scope.',
  'The device is out of reach.',
  'The device is out of its provider’s reach.',
  'It is done behind the answer.',
  'A draft must hold to the schema.',
  'A thousand a clock minute.',
  'The stay is called off.',
  'It works as ever.',
  'Read what became of it.',
  'It waits for ever.',
  'The draft is put right.',
  'It ends anyhow.',
  'It gives the event loop up.',
  'It is read now, and not any more later.',
  'They wait for each other in a ring.',
];

const plain = [
  'There is no such task.',
  'The key is no longer valid.',
  'The letter stands for a door.',
  'Use it whatever the reason.',
  'The limit of the clock minute.',
  'Leave it alone in the list.',
];

it('finds each turn of phrase, and nothing in plain sentences', () => {
  const source = [...turns, ...plain].map((sentence) => `throw new Error(${JSON.stringify(sentence)});\n`).join('');
  const { status, faults } = check({ 'libs/planted.ts': source });
  expect(status).toBe(1);
  expect(faults.map((fault) => /^libs\/planted\.ts:(\d+): ".+": write .+\.$/.exec(fault)?.[1])).toEqual(
    turns.map((_, index) => String(index + 1)),
  );
});

it('reads templates, JSX, comments, names of tests and the prose of pages', () => {
  const files = {
    'libs/template.ts': 'export const say = (id: string) => `The key ${id} ended for good.`;',
    'src/text.tsx': 'export const Page = () => (\n  <p>\n    It ended for\n    good.\n  </p>\n);',
    'src/lines.ts': 'const a = 1;\n// It ended for\n// good.\nexport { a };',
    'src/member.ts': 'export class A {\n  /**\n   * It ended for\n   * good.\n   */\n  a = 1;\n}',
    'src/block.ts': 'export function a() {\n  return;\n  // It ended for good.\n}',
    'test/name.test.ts': "it('ends for good', () => {});",
    'test/table.test.ts': "it.each([1])('ends %s for good', () => {});",
    'docs/page.md': '# Page\n\n- One\n- It ended for\n  good.\n',
  };
  const { status, faults } = check(files, '--all');
  expect([status, faults.every((fault) => fault.includes('for good'))]).toEqual([1, true]);
  expect(faults.map((fault) => fault.split(':')[0]).toSorted()).toEqual(Object.keys(files).toSorted());
});

it('ignores imports, identifiers, data of tests and code in pages', () => {
  const files = {
    'src/a.ts': "import { anew } from './for good.js';\nexport const atOnce = anew;\n",
    'test/a.test.ts': "it('ends', () => expect('for good').toBe('for good'));\n",
    'docs/a.md': 'Run `ended for good`:\n\n```sh\nend for good\n```\n',
  };
  expect(check(files, '--all')).toEqual({ status: 0, faults: [] });
});
