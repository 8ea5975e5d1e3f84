// One Postgres for all suites (without fsync), with a migrated template database that each test file copies. It runs
// from dist/, which is built first: jest maps no modules here.
import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default async function globalSetup() {
  const build = spawnSync(process.execPath, ['scripts/build.mjs'], { stdio: ['ignore', 2, 2] });
  if (build.status !== 0) throw new Error('The build failed');
  const { startEmbeddedPostgres } = await import('../../dist/libs/embedded-postgres/index.js');
  const { migrate } = await import('../../dist/src/migrations/migrate.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-test-'));
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  await migrate(postgres.url);
  process.env.TEST_TEMPLATE_URL = postgres.url;
  globalThis.testPostgres = { postgres, dataDir };
}
