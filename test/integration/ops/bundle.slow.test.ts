import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

/** Loading one of these starts a process or a thread. */
const programs = /\/(main|worker|ops|global-entry|program)\.js$/;
const loadEach = `
  const failures = [];
  const files = process.argv.slice(1);
  for (const file of files)
    await import(process.cwd() + '/' + file).catch(({ message }) => failures.push(file + ': ' + message));
  console.log(JSON.stringify({ loaded: files.length - failures.length, failures }));
`;

it('names the sources in the stack trace of a process, which runs from the bundle', () => {
  const { PATH = '' } = process.env;
  const { status, stderr } = spawnSync(process.execPath, ['dist/src/processes/main.js'], {
    env: { PATH, DATA_DIR: tmpdir(), PORT: 'none', LOG_LEVEL: 'debug' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(/at readConfig \(\S*\/src\/platform\/config\/app\.config\.ts:\d+:\d+\)/);
  expect(stderr).not.toContain('dist/bundle');
});

it('preserves class names in the bundle, which errors show to clients', () => {
  const source = globSync('dist/bundle/*.js')
    .map((file) => readFileSync(file, 'utf8').replaceAll('\n', ''))
    .join('\n');
  expect(source).toContain('static{_named(this,"TasksController")}');
  expect(source.match(/static\{__name\(this,"\w+"/g) ?? []).toEqual([]);
});

// The image has no other packages (Dockerfile).
it('has its packages in the bundle, except Argon2, which is machine code', () => {
  const home = mkdtempSync(join(tmpdir(), 'bundle-'));
  for (const part of ['dist', 'package.json', 'node_modules/@node-rs'])
    cpSync(part, join(home, part), { recursive: true });
  const files = globSync('dist/bundle/*.js').filter((file) => !programs.test(file));
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', loadEach, ...files], {
    cwd: home,
    env: {},
    encoding: 'utf8',
  });
  rmSync(home, { recursive: true });
  expect(JSON.parse(stdout)).toEqual({ loaded: files.length, failures: [] });
});

it('names the sources in the stack trace of an error in a thread', async () => {
  const thread = new Worker(new URL(`file://${resolve('dist/bundle/program.js')}`));
  thread.postMessage({ module: `file://${resolve('dist/bundle/json-work.js')}`, run: 'readBody', args: [null] });
  await once(thread, 'message');
  const [answer] = (await once(thread, 'message')) as [{ error: Error }];
  await thread.terminate();
  expect(answer.error.stack).toMatch(/at \S* ?\(?\S*\/src\/edge\/input\/[\w-]+\.ts:\d+:\d+/);
  expect(answer.error.stack).not.toContain('dist/bundle');
});

// docs/performance.md, Start.
it('has only ASCII in the bundle, because Node keeps other sources in two bytes a character', () => {
  const others = globSync('dist/bundle/*.js').filter((file) => /[^\0-\x7f]/.test(readFileSync(file, 'utf8')));
  expect(others).toEqual([]);
});
