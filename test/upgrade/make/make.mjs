// Creates test/upgrade/5c22a7e.json.br again: node test/upgrade/make/make.mjs (Linux, a few minutes). It checks out
// commit 5c22a7e beside this checkout, and runs the scenes of that commit's own tests (every operation that writes) and
// records.ts to fill a data directory. Then it stops the old service, copies its rows, and starts it once more to read
// every record: the responses are saved beside the rows.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const commit = '5c22a7e';
const file = resolve(`test/upgrade/${commit}.json.br`);
const old = join(mkdtempSync(join(tmpdir(), 'pos-old-')), 'checkout');

function run(command, args, cwd = process.cwd(), env = process.env) {
  const { status } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}

/** Replaces a text that occurs in the file once. */
function replace(path, pairs) {
  let text = readFileSync(path, 'utf8');
  for (const [before, after] of pairs) {
    if (!text.includes(before)) throw new Error(`${path} has no ${before}`);
    text = text.replaceAll(before, after);
  }
  writeFileSync(path, text);
}

run('git', ['worktree', 'add', '--detach', old, commit]);
try {
  symlinkSync(resolve('node_modules'), join(old, 'node_modules'));
  for (const name of ['answers.ts', 'saved.ts', 'make']) {
    cpSync(join('test/upgrade', name), join(old, 'test/upgrade', name), { recursive: true });
  }
  const scenes = 'test/integration/events/every-write.slow.test.ts';
  replace(join(old, scenes), [
    ['service = await startApp();', 'service = await openOld();'],
    ['afterAll(() => service.close());', 'afterAll(() => saveOld(service), 300_000);'],
    [
      'import { type Service, startApp } from',
      `import { openOld, saveOld } from './save.js';\nimport type { Service } from`,
    ],
    // No request leaves the machine.
    ['https://93.184.215.14/', 'https://127.0.0.1:9/'],
  ]);
  run(process.execPath, ['node_modules/jest/bin/jest.js', scenes], old, { ...process.env, UPGRADE_FILE: file });
} finally {
  run('git', ['worktree', 'remove', '--force', old]);
}
