import { once } from 'node:events';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { ask, bothOf, startStandby } from '../../../faults/database-pair.js';
import { clusterDirOf } from '../../../libs/embedded-postgres/index.js';
import { apiOf } from '../../support/api.js';
import { type ChildService, startChild } from '../../support/child-service.js';
import { until } from '../../support/feed.js';
import { type Owner, Workplace } from '../embedded-postgres/support.js';

// Two servers of PostgreSQL and a process of the service.
jest.setTimeout(120_000);

const workplace = new Workplace();
let service: ChildService | undefined;
let standby: Awaited<ReturnType<typeof startStandby>> | undefined;
afterAll(async () => {
  await service?.kill('SIGKILL');
  await standby?.stop();
  await workplace.clear();
});

async function killWithItsServer({ child, pid }: Owner): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  process.kill(-pid, 'SIGKILL');
  await ended;
}

it('goes on with the standby when the primary fails, without a restart and without a loss', async () => {
  const primaryDir = await workplace.folder();
  const primary = await workplace.owner(primaryDir);
  standby = await startStandby(primary.url, clusterDirOf(primaryDir), join(await workplace.folder(), 'standby'));
  service = await startChild(await workplace.folder(), { DATABASE_URL: bothOf(standby.url, primary.url) });
  const api = apiOf(service.url, service.key);
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
