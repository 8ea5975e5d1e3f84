import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { Keyring, newKeyringData } from '#secrets';
import { freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';
import { startApp } from '../../support/start-app.js';

const worker = (env: Record<string, string>) =>
  spawn(process.execPath, ['dist/src/processes/worker.js'], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

it('does due work without serving requests, and ends on SIGTERM with code 0', async () => {
  const secrets = newKeyringData();
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-worker-'));
  writeFileSync(join(dataDir, 'keys.json'), JSON.stringify(secrets));
  const service = await startApp({}, { database, keyring: new Keyring(secrets) });
  const { status } = await service.api.post('/tasks', {
    name: 'Water the plants',
    canStartAt: '2026-01-01T09:00:00Z',
    recurrence: 'FREQ=DAILY',
  });
  expect(status).toBe(201);
  await service.close();

  const child = worker({ DATABASE_URL: database.url, DATA_DIR: dataDir });
  const ended = once(child, 'exit');
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const count = async () =>
    (await client.query<{ count: number }>('select count(*)::integer from tasks')).rows[0]?.count;
  await until(count, (found) => found === 2 || child.exitCode !== null);
  expect(await count()).toBe(2);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);

  await client.end();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

it('reports that it needs a database of its own', async () => {
  const child = worker({});
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(output).toContain('DATABASE_URL');
});
