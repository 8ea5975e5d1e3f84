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

it('has its packages in the bundle, so that a start does not load a second class-validator from node_modules', () => {
  const { PATH = '' } = process.env;
  const list = `process.on('exit', () => console.log(Object.keys(process.getBuiltinModule('module')._cache).join('\\n')))`;
  // The rest of the process is loaded while its database starts.
  const [serving = ''] = globSync('dist/bundle/serving-*.js');
  const { stdout } = spawnSync(process.execPath, ['--import', `data:text/javascript,${list}`, serving], {
    env: { PATH },
    encoding: 'utf8',
  });
  const loaded = stdout.split('\n').flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
  // Argon2 is machine code, and the last is what an internal of pg brings along.
  expect(loaded).toContain('@node-rs/argon2');
  expect(loaded.filter((name) => !/^(@node-rs\/argon2.*|pg|pg-types|pg-int8|postgres-\w+|xtend)$/.test(name))).toEqual(
    [],
  );
});

// docs/performance.md, Start.
it('has only ASCII in the bundle, because Node keeps other sources in two bytes a character', () => {
  const others = globSync('dist/bundle/*.js').filter((file) => /[^\0-\x7f]/.test(readFileSync(file, 'utf8')));
  expect(others).toEqual([]);
});
