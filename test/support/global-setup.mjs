// One Postgres for all suites (without fsync), with a migrated template database that each test file copies, and one
// folder for everything that tests write. It runs from dist/, which is built first, because jest maps no modules here.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';

const memory = '/dev/shm';
/** Bytes; the tests take a quarter of it. */
const enough = 4 * 2 ** 30;

/** A copy of the template is a thousand files, as is a cluster, which a disk takes up to ten times as long for. */
function fastestFolder() {
  if (!existsSync(memory)) return tmpdir();
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= enough ? memory : tmpdir();
}

/** What killed runs have left, which would otherwise stay in memory. */
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

/**
 * Three hundred copies of the database have four connections each, which plan the same statements again: one plan each
 * is enough. The copies do not need the first sweep of files either, for which a service opens the queue.
 */
async function prepare(connectionString) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`alter system set plan_cache_mode = 'force_generic_plan'`);
  await client.query('select pg_reload_conf()');
  await client.query(`insert into schedules (name, due_at) values ('file-sweep', now() + interval '1 day')`);
  await client.end();
}

/** A whole run records the errors that its tests provoke; a separate run adds to them. */
function keepRefusals({ testPathPatterns, testNamePattern }) {
  const file = resolve('node_modules/.cache/provoked-refusals.txt');
  if (testPathPatterns.patterns.length === 0 && !testNamePattern) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '');
  }
  if (existsSync(file)) process.env.PROVOKED = file;
}

export default async function globalSetup(globalConfig) {
  keepRefusals(globalConfig);
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] });
  if (build.status !== 0) throw new Error('The build failed');
  const { startEmbeddedPostgres } = await import('../../dist/libs/embedded-postgres/index.js');
  const { migrate } = await import('../../dist/src/processes/migrate.js');
  const folder = fastestFolder();
  removeAbandoned(folder);
  const runDir = mkdtempSync(join(folder, `pos-test-${process.pid}-`));
  const dataDir = join(runDir, 'database');
  // Each service that runs at the same time may need twenty connections and more.
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false, maxConnections: 300 });
  await migrate(postgres.url);
  await prepare(postgres.url);
  // The processes that run the tests inherit these two. Some tests run as another user.
  process.env.TEST_TEMPLATE_URL = postgres.url;
  process.env.TMPDIR = join(runDir, 'tmp');
  mkdirSync(process.env.TMPDIR);
  chmodSync(runDir, 0o755);
  chmodSync(process.env.TMPDIR, 0o1777);
  globalThis.testRun = { postgres, runDir };
}
