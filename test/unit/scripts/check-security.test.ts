import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const page = readFileSync('docs/security.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'pos-security-'));

afterAll(() => rmSync(folder, { recursive: true }));

function check(text: string): { status: number | null; output: string } {
  const file = join(folder, 'security.md');
  writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-security.mjs', file], { encoding: 'utf8' });
  return { status, output: stderr };
}

const damages = [
  { text: '"works once; a second time', by: '"works twice; a second time', expected: 'is called "works twice;' },
  {
    text: '`integration/mcp/http.test.ts`',
    by: '`integration/mcp/http2.test.ts`',
    expected: 'http2.test.ts does not exist',
  },
  {
    text: '`acceptance/mcp.test.ts`',
    by: '`unit/outbound/outbound.test.ts`',
    expected: 'no test of unit/outbound/outbound.test.ts is called "refuses an unauthenticated request',
  },
  { text: '"is refused when it is unknown, …"', by: '"is refused when it is blue, …"', expected: 'it is blue, …"' },
  { text: '"is not used up by a wrong verifier, client or redirect URI"', by: '-', expected: 'a line names no test' },
];

it('names every test that is gone, and every line that has none', () => {
  const { status, output } = check(damages.reduce((text, { text: whole, by }) => text.replace(whole, by), page));
  expect(status).toBe(1);
  for (const { text, expected } of damages) {
    expect(page).toContain(text);
    expect(output).toContain(expected);
  }
});

it('is content with the page as it is', () => {
  expect(check(page)).toEqual({ status: 0, output: '' });
});
