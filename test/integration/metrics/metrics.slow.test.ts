import { SystemDatabase } from '#system-database';
import { heavyWork, Threads } from '#threads';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { absentId, keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { mcpOf } from '../../support/mcp.js';
import { metricsAt, series } from '../../support/metrics.js';
import { drafts } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { freePort } from '../../support/start-app.js';

const endlessLoop = 'data:text/javascript,export const loop = () => { for (;;); };';

let world: ModelWorld;
let receiver: Receiver;
let api: Api;
let key: string;
let port: number;
beforeAll(async () => {
  port = await freePort();
  receiver = await startReceiver();
  world = await openModelWorld({ METRICS_PORT: String(port), OUTBOUND_ALLOW: '127.0.0.1' });
  ({ api, key } = await keyWith(world.service.api));
});
afterAll(async () => {
  await world.close();
  await receiver.close();
});

const read = () => metricsAt(port);

const requests = (operation: string, door: string, status: number): string =>
  series('requests_total', { operation, door, status: String(status) });

/** By how much `act` raises a series; what is counted when a response is complete appears a moment after it. */
async function expectRise(name: string, by: number, act: () => Promise<unknown>): Promise<void> {
  const before = (await read())[name] ?? 0;
  await act();
  const after = await until(
    async () => (await read())[name] ?? 0,
    (value) => value >= before + by,
  );
  expect(after).toBe(before + by);
}

it('counts requests by operation, door and status, and probes and documents separately', async () => {
  const mcp = mcpOf(world.service.url, key);
  const none = absentId('task');
  await expectRise(requests('getMe', 'rest', 200), 1, () => api.get('/me'));
  await expectRise(requests('getTask', 'rest', 404), 2, () => Promise.all([1, 2].map(() => api.get(`/tasks/${none}`))));
  await expectRise(requests('getMe', 'rest', 401), 1, () => api.as('nobody').get('/me'));
  await expectRise(requests('none', 'rest', 404), 1, () => api.get('/nothing-here'));
  await expectRise(requests('getMe', 'mcp', 200), 1, () => mcp.call('getMe'));
  await expectRise(requests('getTask', 'mcp', 404), 1, () => mcp.call('getTask', { taskId: none }));
  await expectRise(requests('none', 'mcp', 200), 1, () => mcp.tools());
  await expectRise(series('request_seconds_count', { operation: 'getMe', door: 'mcp' }), 1, () => mcp.call('getMe'));
  await expectRise(requests('none', 'pages', 200), 1, async () => {
    await api.get('/healthz');
    await api.get('/openapi.json');
  });
});

it('counts the work of threads by kind and outcome, and what waits', async () => {
  const { body } = await api.post('/email-templates', { name: 'x', subject: 'x', body: '<p>x</p>' });
  const rendered = series('heavy_work_total', { kind: 'template_render', outcome: 'performed' });
  await expectRise(rendered, 1, () => api.post(`/email-templates/${body.data.id as string}/render`, {}));
  const killed = series('heavy_work_total', { kind: 'endless', outcome: 'killed_time' });
  const endless = heavyWork<() => void>({ kind: 'endless', module: endlessLoop, run: 'loop', withinMs: 50 });
  const threads = world.service.app.get(Threads);
  await expectRise(killed, 1, () => threads.run(endless, 'org').catch(() => undefined));
  for (const pool of ['requests', 'background']) expect((await read())[series('threads_waiting', { pool })]).toBe(0);
});

it('counts rejections of the limits, by limit', async () => {
  const limited = (await keyWith(world.service.api, { ratePerMinute: 1_000 })).api;
  const before = (await read())[series('limit_refusals_total', { limit: 'burst' })] ?? 0;
  clock.set(Date.now());
  const replies = await Promise.all(Array.from({ length: 150 }, () => limited.get('/me')));
  clock.restore();
  const refused = replies.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  expect((await read())[series('limit_refusals_total', { limit: 'burst' })]).toBe(before + refused);
});

it('counts webhooks by result, and the jobs that send them', async () => {
  const created = await api.post('/webhook-endpoints', { url: receiver.url, eventTypes: ['task.created'] });
  expect(created.status).toBe(201);
  const make = () => api.post('/tasks', { name: 'Sweep' });
  await expectRise(series('webhook_attempts_total', { result: 'succeeded' }), 1, make);
  receiver.answer = (_, response) => response.writeHead(500).end();
  await expectRise(series('webhook_attempts_total', { result: 'failed' }), 1, make);
  const metrics = await until(read, (values) => 'jobs_due{work="deliveries"}' in values);
  expect(metrics[series('jobs_total', { work: 'deliveries', result: 'performed' })]).toBeGreaterThan(0);
});

it("reports the model's results and usage", async () => {
  world.model.script(drafts({ name: 'Drafted', priority: 'normal' }));
  await expectRise(series('model_call_seconds_count', { outcome: 'answered' }), 1, async () => {
    const { body } = await api.post('/tasks/draft', { instruction: 'Sweep' });
    await world.ended(body.data.id);
  });
  expect((await read())[series('model_tokens_total', { direction: 'output' })]).toBeGreaterThan(0);
});

it('reports the state of the process and its pools', async () => {
  const metrics = await read();
  expect(metrics.nodejs_eventloop_lag_p99_seconds).toBeGreaterThan(0);
  expect(metrics.process_cpu_seconds_total).toBeGreaterThan(0);
  for (const pool of ['tenant', 'system']) {
    const of = (state: string) => metrics[series('database_connections', { pool, state })] as number;
    expect(of('idle') + of('in use')).toBeGreaterThan(0);
    expect(metrics[series('database_waiting', { pool })]).toBe(0);
  }
});

it('serves them nowhere else', async () => {
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(404);
  expect((await api.as(undefined).get('/openapi/../metrics')).status).toBe(404);
});

it('counts nothing unless it is enabled', async () => {
  const off = await Metrics.open({});
  off.count('requests', ['getMe', 'rest', '200']);
  expect(await off.text()).toBe('');
});

it('counts additions that a quota rejects, by quota', async () => {
  const limitProperties = (quotas: object) =>
    world.service.app.get(SystemDatabase).rows('update organizations set quota_limits = $1', [quotas]);
  await limitProperties({ properties: 0 });
  const add = () => api.post('/properties', { name: 'Lake House', timezone: 'UTC' });
  await expectRise(series('quota_refusals_total', { quota: 'properties' }), 1, add);
  await limitProperties({});
});
