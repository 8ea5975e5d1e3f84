// One Postgres for all suites (without fsync), with a migrated template database that each test file copies. It runs
// from dist/, which is built first: jest maps no modules here.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
/** Bytes; the cluster takes a quarter of it. */
const enough = 4 * 2 ** 30;

/** Copying the template makes a thousand files, which a disk takes up to ten times as long for. */
function fastestFolder() {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough ? memory : tmpdir();
}

/** What runs that were killed have left, which would stay in memory. */
function removeAbandoned(folder) {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^pos-test-(\d+)-/.exec(name) ?? [];
    if (pid && !isRunning(Number(pid))) rmSync(join(folder, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
}

export default async function globalSetup() {
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] });
  if (build.status !== 0) throw new Error('The build failed');
  const { startEmbeddedPostgres } = await import('../../dist/libs/embedded-postgres/index.js');
  const { migrate } = await import('../../dist/src/migrations/migrate.js');
  const folder = fastestFolder();
  removeAbandoned(folder);
  const dataDir = mkdtempSync(join(folder, `pos-test-${process.pid}-`));
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  await migrate(postgres.url);
  process.env.TEST_TEMPLATE_URL = postgres.url;
  globalThis.testPostgres = { postgres, dataDir };
}
