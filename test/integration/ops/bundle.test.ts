import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';

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
