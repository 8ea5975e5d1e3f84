import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { SystemDatabase } from '#system-database';
import { migrate } from '../../../src/processes/migrate.js';
import type { Api, Reply } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { mcpOf } from '../../support/mcp.js';
import { authorize } from '../../support/oauth.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

/** On a separate Postgres, which these tests stop, kill and fill. */
let dataDir: string;
let postgres: EmbeddedPostgres;
let service: Service;
let api: Api;
const databaseWaitMs = 800;
/** An OAuth access token of the owner. */
let token: string;
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'pos-faults-'));
  postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  await migrate(postgres.url);
  // Through the data directory's link to the socket, which remains when Postgres is started again.
  const url = `postgresql://owner@localhost/app?host=${join(dataDir, 'socket')}`;
  service = await startApp(
    // Without jobs, which would use the connections that credential look-ups are to find idle.
    { DATABASE_WAIT_MS: String(databaseWaitMs), WORKER: 'off' },
    { database: { url, drop: () => Promise.resolve() } },
  );
  api = (await keyWith(service.api)).api;
  const orgId = (await api.get('/organization')).body.data.id as string;
  token = (await authorize(service, { ...owner, orgId })).access_token;
});
afterAll(async () => {
  await service.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function timed<T>(request: Promise<T>): Promise<T & { ms: number }> {
  const startedAt = performance.now();
  const reply = await request;
  return Object.assign(reply as object, { ms: performance.now() - startedAt }) as T & { ms: number };
}

type Answered = Pick<Reply, 'status' | 'headers' | 'body'>;

function expectUnavailable(reply: Answered & { ms: number }, within?: number): void {
  expectEnvelope(reply, refusals.unavailable);
  expectInTime(reply, within);
}

/** @param within a second, plus what a busy machine adds, unless something more precise is promised. */
function expectInTime({ headers, ms }: { headers: Headers; ms: number }, within = 2_500): void {
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(ms).toBeLessThan(within);
}

/** How long it takes until requests succeed again. */
async function recovery(): Promise<number> {
  const startedAt = performance.now();
  while ((await api.get('/tasks')).status !== 200) if (performance.now() - startedAt > 10_000) break;
  return performance.now() - startedAt;
}

/** Waiting for a connection has a deadline of its own, so each look-up of a test has to find an idle one. */
async function manyIdle(wanted: number): Promise<void> {
  const database = service.app.get(SystemDatabase);
  await Promise.all(Array.from({ length: wanted }, () => database.rows('select pg_sleep(0.2)')));
  expect(database.connections.counts.idle).toBeGreaterThanOrEqual(wanted);
}

/** The postmaster and its children, which a signal to the postmaster does not reach. */
async function serverProcesses(): Promise<number[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query(`select pid from pg_stat_activity where pid <> pg_backend_pid()`);
  await client.end();
  return [postgres.pid, ...rows.map(({ pid }) => pid as number)];
}

describe('an unresponsive Postgres', () => {
  it('returns 503 within DATABASE_WAIT_MS and half a second, for reads and writes of each credential over REST and MCP, and recovers when it continues', async () => {
    // One for the look-up of each credential. Requests may share one.
    await manyIdle(2);
    const processes = await serverProcesses();
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
      const replies = await Promise.all([
        timed(api.get('/tasks')),
        timed(api.post('/tasks', { name: 'x' })),
        timed(api.post('/tasks', { name: 'x' }, { 'idempotency-key': randomUUID() })),
        timed(api.get('/me')),
        timed(api.as(token).get('/me')),
        timed(api.as(token).get('/tasks')),
        timed(mcpOf(service.url, api.key).call('getMe')),
        timed(api.as(token).post('/tasks', { name: 'x' })),
        timed(mcpOf(service.url, token).call('getMe')),
        timed(mcpOf(service.url, api.key).call('createTask', { name: 'x' })),
        timed(mcpOf(service.url, token).call('createTask', { name: 'x' })),
      ]);
      for (const reply of replies) expectUnavailable(reply, databaseWaitMs + 500);
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
    expect(await recovery()).toBeLessThan(2_000);
  });
});

describe('an unresponsive Postgres', () => {
  it('returns 503 within a second for public requests', async () => {
    const session = new Browser(service.url);
    await session.signIn(owner.email, owner.password);
    // One that pages look at, and one for each of the two applications.
    await manyIdle(3);
    const processes = await serverProcesses();
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
      const refresh = (clientId: string) => {
        const body = new URLSearchParams({ grant_type: 'refresh_token', client_id: clientId });
        return timed(fetch(`${service.url}/oauth/token`, { method: 'POST', body }));
      };
      const replies = await Promise.all([
        timed(session.once('/account')),
        timed(fetch(`${service.url}/calendars/abc.ics`)),
        timed(fetch(`${service.url}/attachments/org_1/file_1`)),
        refresh(`app_us_${'0'.repeat(22)}`),
        refresh('https://app.example/client'),
        timed(fetch(`${service.url}/global/applications/app_1`)),
      ]);
      for (const { status, headers, ms } of replies) {
        expect(status).toBe(503);
        expectInTime({ headers, ms });
      }
      const documents = ['/openapi.json', '/.well-known/oauth-protected-resource', '/healthz'];
      for (const path of documents) expect((await fetch(service.url + path)).status).toBe(200);
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
    expect(await recovery()).toBeLessThan(2_000);
  });
});

/** One organization may use this many connections, and two together all of them. */
const mostOfOne = 8;

describe('a Postgres without free connections', () => {
  it('returns 503 within a second, and recovers when one is free', async () => {
    const [second, third] = [await anotherOrganization(service), await anotherOrganization(service)];
    const [id, secondId] = [await taskOf(api), await taskOf(second)];
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('begin; lock table tasks in exclusive mode');
    const waiting: Promise<Reply>[] = [];
    const holdConnections = async (of: Api, taskId: string): Promise<void> => {
      for (let n = 0; n < mostOfOne; n += 1) waiting.push(of.patch(`/tasks/${taskId}`, { name: 'y' }));
      const held = 'select count(*) from pg_locks where not granted';
      while (Number((await holder.query(held)).rows[0].count) < waiting.length) await new Promise(setImmediate);
    };
    try {
      await holdConnections(api, id);
      expectUnavailable(await timed(api.get(`/tasks/${id}`)));
      expectUnavailable(await timed(api.post('/tasks', { name: 'x' })));
      expect((await third.get('/tasks')).status).toBe(200);
      await holdConnections(second, secondId);
      expectUnavailable(await timed(third.get('/tasks')));
    } finally {
      await holder.query('commit');
      await holder.end();
    }
    expect(await recovery()).toBeLessThan(2_000);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 200));
  });
});

describe('a Postgres that is down', () => {
  it('returns 503, recovers when it is back, and nothing is half done', async () => {
    const before = (await api.get('/tasks?limit=100')).body.data.length as number;
    await postgres.stop();
    const key = randomUUID();
    for (const request of [api.get('/tasks'), api.post('/tasks', { name: 'x' }, { 'idempotency-key': key })]) {
      expectUnavailable(await timed(request));
    }
    postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
    expect(await recovery()).toBeLessThan(2_000);
    const retried = await api.post('/tasks', { name: 'x' }, { 'idempotency-key': key });
    expect(retried.status).toBe(201);
    expect((await api.get('/tasks?limit=100')).body.data).toHaveLength(before + 1);
  });
});
