import { spawnSync } from 'node:child_process';
import { chmod, chown, cp, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { linkLibraries } from '../../../libs/embedded-postgres/postgres-binaries.js';
import { Workplace, isRoot } from './support.js';

const workplace = new Workplace();
afterEach(() => workplace.clear());

/** The binaries as npm leaves them when install scripts are blocked. */
async function packageWithoutLinks(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = join(dirname(createRequire(import.meta.url).resolve(name)), '..');
  const links = JSON.parse(await readFile(join(root, 'native', 'pg-symlinks.json'), 'utf8')) as { target: string }[];
  const targets = new Set(links.map(({ target }) => join(root, target)));
  const copy = join(await workplace.folder(), 'native');
  await cp(join(root, 'native'), copy, { recursive: true, filter: (path) => !targets.has(path) });
  return copy;
}

const runs = (native: string, env: NodeJS.ProcessEnv): boolean =>
  ['postgres', 'initdb'].every(
    (program) => spawnSync(join(native, 'bin', program), ['--version'], { env }).status === 0,
  );

it('links the libraries in the package', async () => {
  const native = await packageWithoutLinks();
  expect(runs(native, {})).toBe(false);
  expect(await linkLibraries(native, join(native, 'spare'))).toEqual({});
  expect(runs(native, {})).toBe(true);
});

/** Root may write anywhere, so link them as nobody instead. */
async function linkWithoutPrivilege(native: string, spare: string): Promise<NodeJS.ProcessEnv> {
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await linkLibraries(native, spare);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('links them elsewhere if another user owns the package', async () => {
  const native = await packageWithoutLinks();
  const dataDir = await workplace.folder();
  const spare = join(dataDir, 'libraries');
  await chmod(join(native, 'lib'), 0o555);
  await chmod(dirname(native), 0o755);
  if (isRoot) await chown(dataDir, 65_534, 65_534);
  // The second time replaces the links of an earlier package.
  for (const _start of [1, 2]) {
    const env = await linkWithoutPrivilege(native, spare);
    expect(env.LD_LIBRARY_PATH).toContain(spare);
    expect(runs(native, env)).toBe(true);
  }
  await chmod(join(native, 'lib'), 0o755);
});
