import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const page = readFileSync('docs/security.md', 'utf8');
const requirements = readFileSync('docs/asvs.md', 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'pos-security-'));

afterAll(() => rmSync(folder, { recursive: true }));

function check(text: string, name = 'security.md'): { status: number | null; output: string } {
  const file = join(folder, name);
  writeFileSync(file, text);
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-security.mjs', file], { encoding: 'utf8' });
  return { status, output: stderr };
}

interface Damage {
  text: string;
  by: string;
  expected: string;
}
const damaged = (text: string, damages: Damage[]): string =>
  damages.reduce((rest, { text: whole, by }) => rest.replace(whole, by), text);

const damages = [
  { text: '"works once; a second use', by: '"works twice; a second use', expected: 'is called "works twice;' },
  {
    text: '`integration/mcp/http.test.ts`',
    by: '`integration/mcp/http2.test.ts`',
    expected: 'http2.test.ts does not exist',
  },
  {
    text: '`acceptance/mcp.test.ts`',
    by: '`unit/outbound/outbound.test.ts`',
    expected: 'no test of unit/outbound/outbound.test.ts is called "rejects an unauthenticated request',
  },
  { text: '"CON-2 names the application, …"', by: '"CON-2 names the blue one, …"', expected: 'names the blue one, …"' },
  { text: '"is not used up by a wrong verifier, client or redirect URI"', by: '-', expected: 'a line names no test' },
];

it('names every test that does not exist, and every line without one', () => {
  const { status, output } = check(damaged(page, damages));
  expect(status).toBe(1);
  for (const { text, expected } of damages) {
    expect(page).toContain(text);
    expect(output).toContain(expected);
  }
});

it('names every requirement of ASVS that is missing, repeated or unknown, and every line without test and reason', () => {
  const wrong = [
    { text: '| V2.1.3 ', by: '| V2.1.9 ', expected: 'V2.1.3 is missing' },
    { text: '| V2.2.3 ', by: '| V2.3.1 ', expected: 'V2.3.1 is named 2 times' },
    { text: '| V3.7.2 ', by: '| V3.7.3 ', expected: 'V3.7.3 is no requirement of levels 1 and 2' },
    { text: 'Does not apply: no script', by: 'No script', expected: 'a line names no test: No script' },
    { text: 'Reviewed: `libs/', by: 'Reviewed: `libs/none/', expected: 'libs/none/' },
  ];
  const { status, output } = check(damaged(requirements, wrong), 'asvs.md');
  expect(status).toBe(1);
  for (const { text, expected } of wrong) {
    expect(requirements).toContain(text);
    expect(output).toContain(expected);
  }
});
