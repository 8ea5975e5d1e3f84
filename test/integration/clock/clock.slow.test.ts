import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ClockService } from '../../../src/platform/clock/clock.service.js';
import type { Api } from '../../support/api.js';
import type { FreshDatabase } from '../../support/database.js';
import { propertyOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { foundedDatabase } from '../../support/founded.js';
import { mcpOf } from '../../support/mcp.js';
import { type ServiceProcess, startProcess } from '../../support/service-process.js';

const key = 'sk_test_first_key_of_the_tests_0123456789';
const dayMs = 86_400_000;

let database: FreshDatabase;
let dataDir: string;
let [one, other]: ServiceProcess[] = [];
let api: Api;
const cell = { ENVIRONMENT: 'test', ADMIN_API_KEY: key };
const start = (): Promise<ServiceProcess> => startProcess({ ...cell, DATABASE_URL: database.url, DATA_DIR: dataDir });
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pos-clock-'));
  database = await foundedDatabase(dataDir, cell);
  one = await start();
  other = await start();
  api = one.api.as(key);
}, 60_000);
afterAll(async () => {
  await Promise.all([one?.close(), other?.close()]);
  rmSync(dataDir, { recursive: true, force: true });
  await database.drop();
});

const timeOf = async (asked: Api): Promise<number> => Date.parse((await asked.get('/clock')).body.data.now);

it('starts at the real time', async () => {
  const { status, body } = await api.get('/clock');
  expect([status, body.data.offsetSeconds]).toEqual([200, 0]);
  expect(Math.abs(Date.parse(body.data.now) - Date.now())).toBeLessThan(5_000);
});

it('moves forward for every process within a second, and runs what is due by then', async () => {
  const expiresAt = new Date(Date.now() + 20 * dayMs).toISOString();
  const { body: made } = await api.post('/api-keys', { name: 'Short', scopes: ['tasks:read'], expiresAt });
  const short = other?.api.as(made.data.key) as Api;
  expect((await short.get('/tasks')).status).toBe(200);
  const propertyId = await propertyOf(api);
  const [canStartAt, dueAt] = [dayMs, 2 * dayMs].map((inMs) => new Date(Date.now() + inMs).toISOString());
  const weekly = { name: 'Every week', propertyId, recurrence: 'FREQ=WEEKLY', canStartAt, dueAt };
  expect((await api.post('/tasks', weekly)).status).toBe(201);
  expect((await api.post('/clock/advance?dryRun=true', { by: 'P30D' })).body.data.offsetSeconds).toBe(0);
  const advanced = await api.post('/clock/advance', { by: 'P30D' });
  expect([advanced.status, advanced.body.data.offsetSeconds]).toEqual([200, 30 * 86_400]);
  const movedAt = Date.now();
  const { headers } = await api.get('/clock');
  expect(Date.parse(headers.get('date') as string)).toBeGreaterThan(movedAt + 29 * dayMs);
  await until(
    () => timeOf(other?.api.as(key) as Api),
    (time) => time > movedAt + 29 * dayMs,
  );
  expect(Date.now() - movedAt).toBeLessThan(1_000);
  expect((await short.get('/tasks')).status).toBe(401);
  await until(
    () => api.get(`/tasks?propertyId=${propertyId}&limit=100`),
    ({ body }) => body.data.length >= 2,
  );
});

it('is moved to a time, over MCP too, and only forward', async () => {
  const to = new Date((await timeOf(api)) + dayMs).toISOString();
  const { body } = await mcpOf(`http://localhost:${one?.port}`, key).call('advanceClock', { to });
  expect(Date.parse(body.data.now)).toBeGreaterThanOrEqual(Date.parse(to));
  const refused = [{ to }, { by: 'PT0S' }, { by: 'P401D' }, {}, { by: 'P1D', to }, { by: 'a while' }, { by: '-P1D' }];
  for (const input of refused) expect((await api.post('/clock/advance', input)).status).toBe(400);
});

it('needs its permission, and does not change on a restart', async () => {
  const { body } = await api.post('/api-keys', { name: 'Reader', scopes: ['tasks:read'] });
  expect((await api.as(body.data.key).post('/clock/advance', { by: 'P1D' })).status).toBe(403);
  const before = await timeOf(api);
  other?.child.kill('SIGTERM');
  await other?.ended;
  other = await start();
  expect(await timeOf(other.api.as(key))).toBeGreaterThanOrEqual(before);
});

it('is followed until the process shuts down, and not after its database is closed', async () => {
  const reads = { ended: 0, other: 0 };
  const following = (name: keyof typeof reads): ClockService => {
    const rows = () => {
      reads[name] += 1;
      return Promise.resolve([{ seconds: 0 }]);
    };
    const followed = new ClockService({ rows } as never, {} as never, {} as never, {} as never);
    followed.onApplicationBootstrap();
    return followed;
  };
  const ended = following('ended');
  await until(
    () => Promise.resolve(reads.ended),
    (count) => count > 0,
  );
  await ended.beforeApplicationShutdown();
  const before = reads.ended;
  const after = following('other');
  await until(
    () => Promise.resolve(reads.other),
    (count) => count > 1,
  );
  await after.beforeApplicationShutdown();
  expect(reads.ended).toBe(before);
});
