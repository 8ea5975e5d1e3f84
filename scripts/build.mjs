// Builds dist/ with `nest build` and scripts/bundle.mjs, and only when a source is newer than the last build. Several
// instances may start from one checkout at the same time: the first takes a lock (a directory, created atomically), and
// the others wait for it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');
const lock = join(root, 'node_modules', '.build-lock');
const holder = join(lock, 'pid');
const nest = join(root, 'node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
/** Between creating the lock and writing its owner. */
const namelessMs = 10_000;
const sources = [
  'src',
  'libs',
  'bench',
  'faults',
  'mutants',
  'ormconfig.ts',
  'package.json',
  'package-lock.json',
  'scripts/bundle.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

const modifiedAt = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

function newest(path) {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  return Math.max(found.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const isStale = () => Math.max(...sources.map((name) => newest(join(root, name)))) > modifiedAt(stamp);

/** Whether the lock belongs to a process that was killed; a build may take minutes on a busy machine. */
function isAbandoned() {
  try {
    process.kill(Number(readFileSync(holder, 'utf8')), 0);
    return false;
  } catch (error) {
    const madeAt = modifiedAt(lock);
    return error.code === 'ESRCH' || (error.code === 'ENOENT' && madeAt > 0 && Date.now() - madeAt > namelessMs);
  }
}

async function locked(work) {
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (isAbandoned()) rmSync(lock, { recursive: true, force: true });
      await wait(200);
    }
  }
  writeFileSync(holder, String(process.pid));
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function build() {
  if (!isStale()) return 0;
  const startedAt = new Date();
  console.error('Building …');
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  const status = run(nest, 'build') || run(join(root, 'scripts', 'bundle.mjs'));
  if (status === 0) {
    writeFileSync(stamp, `${startedAt.toISOString()}\n`);
    // A source saved while the compiler ran must count as newer than this build.
    utimesSync(stamp, startedAt, startedAt);
  }
  return status;
}

/** A published build comes without its sources, and `npm ci --omit=dev` without what builds them. */
function buildElsewhere() {
  if (existsSync(stamp)) return 0;
  const isInstalling = process.argv.includes('--installing');
  console.error(
    isInstalling
      ? 'Not built: the packages that build are not installed. Copy dist/ from a build, or run npm ci.'
      : 'There is no build in dist/, and the packages that build are not installed. Run npm ci.',
  );
  return isInstalling ? 0 : 1;
}

const run = (...program) => spawnSync(process.execPath, program, { cwd: root, stdio: ['ignore', 2, 2] }).status ?? 1;

if (!existsSync(nest)) process.exitCode = buildElsewhere();
else if (isStale() || !existsSync(stamp)) process.exitCode = await locked(build);
