import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = mkdtempSync(join(tmpdir(), 'pos-coverage-'));

beforeEach(() => cpSync('test/acceptance', folder, { recursive: true }));
afterAll(() => rmSync(folder, { recursive: true }));

function check(): { status: number | null; output: string } {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-coverage.mjs', folder], { encoding: 'utf8' });
  return { status, output: stderr };
}

const page = 'COVERAGE.md';
const damages = [
  { file: page, text: '| SVC-2 |', by: '\n## Not reached yet\n\nSVC-2 |', expected: 'SVC-2 is missing' },
  { file: page, text: '| SVC-3 |', by: '| SVC-99 |', expected: 'SVC-99 is no statement' },
  { file: page, text: '| TSK-2 |', by: '| TSK-1 |', expected: 'TSK-1 is listed twice' },
  {
    file: page,
    text: '`DIS › returns the addresses of the authorization server`',
    by: '-',
    expected: 'DIS-1 names no test',
  },
  {
    file: page,
    text: '`DIS › returns the protected',
    by: '`DIS › returns',
    expected: 'DIS-2 names a test that does not exist',
  },
  {
    file: page,
    text: 'nowhere else` | REST |',
    by: 'nowhere else` | SMTP |',
    expected: 'VER-1 names the doors "SMTP"',
  },
  {
    file: page,
    text: 'redirect URIs` | REST |',
    by: 'redirect URIs` | REST, MCP |',
    expected: 'OAU-9 names MCP, and no test',
  },
  { file: 'versioning.test.ts', text: 'expect(', by: 'void (', expected: 'VER-1 names a test without an expect()' },
  // A helper's requests count as the test's.
  { file: 'idempotency.test.ts', text: '.ask[door](', by: '.ask.REST(', expected: 'IDM-3 names MCP, and no test' },
];

it('names every statement without a row, and every row that its tests do not support', () => {
  for (const { file, text, by } of damages) {
    const [path, whole] = [join(folder, file), readFileSync(join(folder, file), 'utf8')];
    expect(whole).toContain(text);
    writeFileSync(path, whole.replaceAll(text, by));
  }
  const { status, output } = check();
  expect(status).toBe(1);
  for (const { expected } of damages) expect(output).toContain(expected);
});

it('accepts the page as it is', () => {
  expect(check()).toEqual({ status: 0, output: '' });
});
