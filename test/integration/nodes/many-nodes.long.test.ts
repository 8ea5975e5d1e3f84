import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { Browser } from '../../../faults/page-client.js';
import { migrations } from '../../../src/platform/migrations/migrations.js';
import { type Api, apiOf, type Json } from '../../support/api.js';
import { type ChildService, newDataDir, removeDataDir, startChild, startWorker } from '../../support/child-service.js';
import { emptyDatabase, type FreshDatabase } from '../../support/database.js';
import { keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { type RedisServer, startRedis, withRedis } from '../../support/redis.js';
import { shortestOf, type Span } from '../../support/spans.js';
import { freePort, owner as person } from '../../support/start-app.js';
import { Balancer } from './balancer.js';

interface Counted extends Span {
  status: number;
  reset: string;
  left: number;
}

withRedis()('two HTTP nodes and two workers on one database and one Redis', () => {
  let redis: RedisServer;
  let database: FreshDatabase;
  let receiver: Receiver;
  let nodes: ChildService[] = [];
  let workers: Pick<ChildService, 'stop'>[] = [];
  let owner: pg.Pool;
  let dataDir: string;
  let ports: number[];
  let api: Api;
  let key: string;

  const settings = () => ({
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    ADMIN_EMAIL: person.email,
    ADMIN_PASSWORD: person.password,
    OUTBOUND_ALLOW: '127.0.0.1',
    DRAIN_SECONDS: '1',
    // A machine that runs other tests at the same time may keep Redis waiting for its turn.
    LIMITS_TIMEOUT_MS: '5000',
    WORKER: 'off',
  });
  const startNode = (index: number) => startChild(dataDir, { ...settings(), PORT: String(ports[index]) });
  const count = async (table: string, condition = 'true'): Promise<number> =>
    (await owner.query<{ count: number }>(`select count(*)::integer from ${table} where ${condition}`)).rows[0]
      ?.count as number;

  beforeAll(async () => {
    [redis, database, receiver] = await Promise.all([startRedis(), emptyDatabase(), startReceiver()]);
    owner = new pg.Pool({ connectionString: database.url });
    dataDir = newDataDir();
    ports = [await freePort(), await freePort()];
    [nodes, workers] = await Promise.all([
      Promise.all([startNode(0), startNode(1)]),
      Promise.all([startWorker(dataDir, settings()), startWorker(dataDir, settings())]),
    ]);
    const [first] = nodes as [ChildService];
    ({ api, key } = await keyWith(apiOf(first.url, first.key)));
  }, 120_000);
  afterAll(async () => {
    const codes = await Promise.all([...nodes, ...workers].map((one) => one.stop()));
    await Promise.all([receiver.close(), redis.stop(), owner.end()]);
    await database.drop();
    removeDataDir(dataDir);
    expect(codes).toEqual([0, 0, 0, 0]);
  }, 60_000);

  it('start together on an empty database: one schema, one organization, one file of secrets', async () => {
    expect(await count('migrations')).toBe(migrations.length);
    expect(await count('organizations')).toBe(1);
    const seen = await Promise.all(nodes.map(({ url }) => apiOf(url, key).get('/me')));
    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen[0]?.body.data).toEqual(seen[1]?.body.data);
  });

  it('enforce one limit together: exactly 1000 a minute, never 51 in a second', async () => {
    const limited = (await keyWith(api, { ratePerMinute: 1_000 })).key;
    const answers: Counted[] = [];
    const client = async (url: string): Promise<void> => {
      const asking = apiOf(url, limited);
      for (let time = 0; time < 34; time += 1) {
        const from = performance.now();
        const { status, headers } = await asking.get('/me');
        const reset = headers.get('x-ratelimit-reset') as string;
        const left = Number(headers.get('x-ratelimit-remaining'));
        answers.push({ status, reset, left, from, to: performance.now() });
      }
    };
    await Promise.all(nodes.flatMap(({ url }) => Array.from({ length: 16 }, () => client(url))));
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted.length).toBeGreaterThanOrEqual(50);
    expect(shortestOf(51, admitted)).toBeGreaterThan(1_000);
    // Each request of a minute has its own number, over both nodes, and all after the 1000th find nothing left.
    for (const minute of new Set(answers.map(({ reset }) => reset))) {
      const counted = answers.filter(({ reset }) => reset === minute);
      const left = counted.map((answer) => answer.left).filter((many) => many > 0);
      expect(left.toSorted((one, other) => other - one)).toEqual(left.map((_, n) => 999 - n));
      expect(left).toHaveLength(Math.min(999, counted.length));
      expect(counted.filter((answer) => answer.left === 0 && answer.status === 200).length).toBeLessThanOrEqual(1);
    }
  }, 60_000);

  it('do due work once: each task of a series, and each webhook', async () => {
    const endpoint = await api.post('/webhook-endpoints', { url: receiver.url, eventTypes: ['task.created'] });
    expect(endpoint.status).toBe(201);
    const series = Array.from({ length: 10 }, (_, n) => ({
      name: `Series ${n}`,
      canStartAt: '2026-01-01T09:00:00Z',
      recurrence: 'FREQ=DAILY',
    }));
    const made = await Promise.all(
      series.map((task, n) => apiOf((nodes[n % 2] as ChildService).url, key).post('/tasks', task)),
    );
    expect(made.map(({ status }) => status)).toEqual(series.map(() => 201));
    await receiver.count(20);
    // The demo data's endpoint has deliveries too, to a host that does not exist.
    const own = `/webhook-deliveries?endpointId=${endpoint.body.data.id}&limit=100`;
    const settled = async (): Promise<Json[]> => (await api.get(own)).body.data;
    const deliveries = await until(settled, (all) => all.every(({ status }) => status === 'succeeded'));
    expect(deliveries.map(({ attempts }) => attempts.length)).toEqual(Array(20).fill(1));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(20);
    expect(receiver.received).toHaveLength(20);
    for (const { name } of series) expect(await count('tasks', `name = '${name}'`)).toBe(2);
  }, 60_000);

  it('restart one after the other without a failed request', async () => {
    const balancer = await Balancer.over(nodes.map(({ url }) => url));
    const [failures, acknowledged, reads]: [unknown[], string[], string[]] = [[], [], []];
    let isOver = false;
    const client = async (name: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        const isWrite = n % 5 === 0;
        const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `rolling-${name}-${n}` };
        const answer = await (
          isWrite
            ? balancer.ask('POST', '/tasks', headers, { name: 'Rolling' })
            : balancer.ask('GET', '/tasks?limit=1', headers)
        ).catch((error: unknown) => ({ status: 0, body: String(error) }));
        if (answer.status !== (isWrite ? 201 : 200)) failures.push(answer);
        else (isWrite ? acknowledged : reads).push(answer.body);
        // The cores are for the nodes that start.
        await wait(20);
      }
    };
    const clients = Promise.all(Array.from({ length: 4 }, (_, name) => client(name)));
    for (const index of [0, 1]) {
      expect(await (nodes[index] as ChildService).stop()).toBe(0);
      nodes[index] = await startNode(index);
    }
    isOver = true;
    await clients;
    balancer.close();
    expect(failures).toEqual([]);
    expect(reads.length).toBeGreaterThan(100);
    expect(await count('tasks', `name = 'Rolling'`)).toBe(acknowledged.length);
  }, 120_000);

  it('agree about what happens once, and about what has ended', async () => {
    const at = nodes.map(({ url }) => apiOf(url, key));
    const twenty = <T>(ask: (node: Api) => Promise<T>) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => ask(at[n % 2] as Api)));
    const created = await twenty((node) => node.post('/tasks', { name: 'Once' }, { 'idempotency-key': 'once' }));
    expect(new Set(created.map(({ body }) => body.data?.id).filter(Boolean)).size).toBe(1);
    expect(await count('tasks', `name = 'Once'`)).toBe(1);
    const { used } = (await api.get('/organization')).body.data.quotas.apiKeys;
    await owner.query('update organizations set quota_limits = $1', [{ apiKeys: used + 3 }]);
    const keys = await twenty((node) => node.post('/api-keys', { name: 'Last', scopes: ['tasks:read'] }));
    const added = keys.filter(({ status }) => status === 201).map(({ body }) => body.data);
    expect(added).toHaveLength(3);
    const [{ id, key: last }] = added;
    const rotated = await twenty((node) => node.post(`/api-keys/${id}/rotate`));
    expect(rotated.filter(({ status }) => status === 200)).toHaveLength(1);
    await at[0]?.post(`/api-keys/${id}/revoke`);
    expect((await apiOf((nodes[1] as ChildService).url, last).get('/tasks')).status).toBe(401);
  }, 60_000);

  it('count one of two decisions about a request, whichever node takes them, and carry it out once', async () => {
    const { id: orgId } = (await api.get('/organization')).body.data;
    const asking = await keyWith(api);
    const rule = `approval-rule add --org ${orgId} --who ${asking.id} --what destructive --mode ask`;
    await promisify(execFile)(process.execPath, ['dist/src/processes/ops/main.js', ...rule.split(' ')], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: database.url, LOG_LEVEL: 'silent' },
    });
    const browsers = await Promise.all(
      nodes.map(async ({ url }) => {
        const browser = new Browser(url);
        await browser.signIn(person.email, person.password);
        return browser;
      }),
    );
    const [first, second] = browsers as [Browser, Browser];
    const decidedTwice = async (n: number): Promise<void> => {
      const task = (await api.post('/tasks', { name: `Decided ${n}` })).body.data;
      const { body } = await asking.api.post(`/tasks/${task.id}/archive`);
      const path = new URL(body.data.url as string).pathname;
      const [one, other] = await Promise.all([first.get(path), second.get(path)]);
      const decision = n % 3 === 0 ? 'approve' : 'refuse';
      const pages = await Promise.all([
        first.submit(one, path, { decision: 'approve' }),
        second.submit(other, path, { decision }),
      ]);
      expect(pages.map(({ status }) => status)).toEqual([200, 200]);
      // Again while it is carried out, or has ended.
      const late = await second.submit(other, path, { decision: 'refuse' });
      const ended = await until(
        async () => (await asking.api.get(`/approvals/${body.data.id}`)).body.data as Json,
        ({ status }) => !['pending', 'approved'].includes(status as string),
      );
      expect(decision === 'approve' ? ['done'] : ['done', 'refused']).toContain(ended.status);
      expect((await api.get(`/tasks/${task.id}`)).body.data.archivedAt !== null).toBe(ended.status === 'done');
      for (const { text } of [...pages, late]) expect(text.includes('Refused')).toBe(ended.status === 'refused');
      const id = `'${body.data.id}'`;
      expect(await count('events', `type = 'approval.decided' and subject_id = ${id}`)).toBe(1);
      expect(await count('events', `type = 'task.archived' and subject_id = '${task.id}'`)).toBe(
        ended.status === 'done' ? 1 : 0,
      );
    };
    for (let n = 0; n < 12; n += 3) await Promise.all([n, n + 1, n + 2].map(decidedTwice));
  }, 60_000);
});
