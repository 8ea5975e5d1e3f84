import { once } from 'node:events';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { ask, bothOf, startStandby } from '../../../faults/database-pair.js';
import { clusterDirOf } from '../../../libs/embedded-postgres/index.js';
import { migrate } from '../../../src/processes/migrate.js';
import { until } from '../../support/feed.js';
import { type Service, startApp } from '../../support/start-app.js';
import { type Owner, Workplace } from '../embedded-postgres/support.js';

// Two PostgreSQL servers.
jest.setTimeout(120_000);

const workplace = new Workplace();
let service: Service | undefined;
let standby: Awaited<ReturnType<typeof startStandby>> | undefined;
afterAll(async () => {
  await service?.close();
  await standby?.stop();
  await workplace.clear();
});

async function killWithItsServer({ child, pid }: Owner): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  process.kill(-pid, 'SIGKILL');
  await ended;
}

it('continues with the standby when the primary fails, without a restart and without a loss', async () => {
  const primaryDir = await workplace.folder();
  const primary = await workplace.owner(primaryDir);
  standby = await startStandby(primary.url, clusterDirOf(primaryDir), join(await workplace.folder(), 'standby'));
  const url = bothOf(standby.url, primary.url);
  await migrate(url);
  service = await startApp({}, { database: { url, drop: () => Promise.resolve() } });
  const { api } = service;
  const write = () => api.post('/tasks', { name: 'Change the linen' }, { 'Idempotency-Key': 'across the failover' });

  const { status, body } = await api.post('/tasks', { name: 'Before' });
  expect(status).toBe(201);
  await killWithItsServer(primary);
  const refused = await write();
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);

  await ask(standby.url, 'select pg_promote()');
  const written = await until(write, (answer) => answer.status !== 503);
  expect(written.status).toBe(201);
  expect((await write()).body.data.id).toBe(written.body.data.id);
  expect((await api.get(`/tasks/${body.data.id}`)).body.data.name).toBe('Before');
});
