import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#embedded-postgres';
import { migrate } from '../../src/processes/migrate.js';
import type { Json, Reply } from '../support/api.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { keyWith, taskOf } from '../support/factories.js';
import { until } from '../support/feed.js';
import { mcpOf, type ToolReply } from '../support/mcp.js';
import { startApp } from '../support/start-app.js';
import { doorNames, onlyHere, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

/** Every operation that is a GET and needs no further input. */
async function reads(): Promise<{ path: string; name: string }[]> {
  const { paths } = (await target.api.get('/openapi.json')).body;
  return Object.entries<Json>(paths)
    .filter(([path, { get }]) => get && !path.includes('{') && get.operationId !== 'streamEvents')
    .map(([path, { get }]) => ({ path, name: get.operationId as string }));
}

describe.each(doorNames)('RET over %s', (door) => {
  it('returns Retry-After in whole seconds', async () => {
    const { key } = await keyWith(target.api, { ratePerMinute: 1_000 });
    // 50 a second, or 1,000 a minute if the machine is too slow for that.
    const refused: Awaited<ReturnType<Target['ask']['REST']>>[] = [];
    for (let asked = 0; refused.length === 0 && asked < 1_200; asked += 150) {
      const replies = await Promise.all(Array.from({ length: 150 }, () => target.ask[door]('getMe', {}, { key })));
      refused.push(...replies.filter(({ status }) => status === 429));
    }
    expect(refused.length).toBeGreaterThan(0);
    for (const { headers } of refused) expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  });

  it('may repeat a GET: the response is the same and nothing changes', async () => {
    const [taskId, requestId] = [await taskOf(target.api), randomUUID()];
    const headers = { 'x-request-id': requestId };
    // A write is in the audit trail as soon as its response is sent, by the id of its request.
    const written = async (): Promise<Json[]> =>
      (await target.api.get(`/audit-entries?requestId=${requestId}`)).body.data;
    const read = async () => (await target.ask[door]('getTask', { taskId }, { headers })).body;
    expect(await read()).toEqual(await read());
    for (const { path, name } of await reads()) {
      const asked = { REST: () => target.api.get(path, headers), MCP: () => target.mcp.call(name, {}, { headers }) };
      const { status, body } = await asked[door]();
      expect([name, status, body?.error]).toEqual([name, 200, undefined]);
    }
    expect(await written()).toEqual([]);
    await target.ask[door]('completeTask', { taskId }, { headers });
    expect(await written()).not.toEqual([]);
  });

  it('never applies a retried write twice', async () => {
    const [idempotencyKey, name] = [randomUUID(), `Once ${randomUUID()}`];
    const replies = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      replies.push(await target.ask[door]('createTask', { name }, { idempotencyKey }));
    }
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    const { body } = await target.ask[door]('listTasks', { limit: 100 });
    expect(body.data.filter((task: { name: string }) => task.name === name)).toHaveLength(1);
  });
});

describe('RET', () => {
  onlyHere('the database is taken away')(
    'returns 503 with Retry-After while the database is down, and recovers',
    async () => {
      const databaseDir = mkdtempSync(join(tmpdir(), 'pos-database-'));
      let postgres = await startEmbeddedPostgres({ dataDir: databaseDir, fsync: false });
      // Through the link to the socket, whose path does not change.
      const url = `postgresql://owner@localhost/app?host=${join(databaseDir, 'socket')}`;
      await migrate(url);
      const service = await startApp({}, { database: { url, drop: () => Promise.resolve() } });
      const { api } = service;
      const mcp = mcpOf(service.url, service.key);
      try {
        expect((await api.get('/me')).status).toBe(200);
        await postgres.stop();
        for (const refused of [await api.get('/me'), await mcp.call('getMe')]) {
          expectEnvelope(refused, refusals.unavailable);
          expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
        }
        postgres = await startEmbeddedPostgres({ dataDir: databaseDir, fsync: false });
        for (const ask of [() => api.get('/me'), () => mcp.call('getMe')]) {
          const recovered = await until<Reply | ToolReply>(ask, ({ status }) => status === 200);
          expect(recovered.body.data.member).toBeDefined();
        }
      } finally {
        await service.close();
        await postgres.stop();
        rmSync(databaseDir, { recursive: true, force: true });
      }
    },
  );
});
