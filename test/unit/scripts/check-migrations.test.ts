import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pos-migrations-'));
  cpSync('src/platform/migrations', folder, { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

function check(...flags: string[]): { status: number | null; stderr: string } {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/check-migrations.mjs', folder, ...flags], {
    encoding: 'utf8',
  });
  return { status, stderr };
}

const foundation = '1700000000001-foundation.ts';
const file = (name: string): string => join(folder, name);

/** Adds a migration after all others, and lists it in migrations.ts. */
function addMigration(): void {
  writeFileSync(file('1799999999999-later.ts'), 'export class Later1799999999999 {}\n');
  const source = readFileSync(file('migrations.ts'), 'utf8')
    .replace('\n\n', `\nimport { Later1799999999999 } from './1799999999999-later.js';\n\n`)
    .replace('\n];', '\n  Later1799999999999,\n];');
  writeFileSync(file('migrations.ts'), source);
}

it('accepts the migrations as they are', () => {
  expect(check()).toEqual({ status: 0, stderr: '' });
});

it.each([foundation, 'isolation.ts'])('rejects a change of %s, also when new migrations are released', (name) => {
  appendFileSync(file(name), '\n');
  for (const flags of [[], ['--release']]) {
    expect(check(...flags)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`${name} is released, and has`),
    });
  }
});

it('rejects a released migration that was renamed', () => {
  renameSync(file(foundation), file('1700000000001-foundations.ts'));
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining(`${foundation} is released, and is`) });
});

it('rejects a migration that is not in migrations.ts, or in the wrong position', () => {
  const source = readFileSync(file('migrations.ts'), 'utf8');
  writeFileSync(file('migrations.ts'), source.replace('  Foundation1700000000001,\n', ''));
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('migrations.ts lists other files') });
  const [first, second, ...others] = source.split('\n');
  writeFileSync(file('migrations.ts'), [second, first, ...others].join('\n'));
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('migrations.ts imports other files') });
});

it('requires the hash of a new migration, appends it once, and rejects every later change', () => {
  addMigration();
  expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('later.ts is not in released.sha256') });
  expect(check('--release')).toEqual({ status: 0, stderr: '' });
  expect(check()).toEqual({ status: 0, stderr: '' });
  appendFileSync(file('1799999999999-later.ts'), '\n');
  expect(check('--release').status).toBe(1);
});
