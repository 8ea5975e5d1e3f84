import type { Api, Reply } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { keyWith } from '../../support/factories.js';
import { type ModelServer, drafts, startModelServer } from '../../support/model-server.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { withSampleDrafts } from '../../support/sample-drafts.js';

let world: OAuthWorld;
let model: ModelServer;
let slugs = 0;
beforeAll(async () => {
  model = await startModelServer();
  model.script(drafts({ name: 'Drafted', priority: 'normal' }));
  world = await withSampleDrafts(() => openWorld({ MODEL_BASE_URL: model.url, MODEL_NAME: 'stub' }));
});
afterAll(async () => {
  await world.close();
  await model.close();
});
afterEach(() => {
  clock.restore();
});

const wish = { instruction: 'Sweep' };
const draft = (api: Api, headers: Record<string, string> = {}): Promise<Reply> =>
  api.post('/tasks/draft', wish, headers);
const many = (count: number, api: Api): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, () => draft(api)));

/** A new organization, its id and a key in it. */
async function organization(): Promise<{ id: string; api: Api }> {
  const { id } = await world.ops(`org create --name Budget --slug budget-${(slugs += 1)}`);
  const { key } = await world.ops(`api-key create --org ${id} --name k --scopes * --rate-per-minute 60000`);
  return { id, api: world.rest(key) };
}

it('is a sliding window: rejected calls take no place, and at most 10 fall into any 60 s', async () => {
  const { api } = await organization();
  clock.set(Date.now());
  await many(5, api);
  clock.advance(30_000);
  expect((await many(9, api)).filter(({ status }) => status === 202)).toHaveLength(5);
  clock.advance(29_999);
  expect((await draft(api)).headers.get('retry-after')).toBe('1');
  clock.advance(1);
  expect((await many(9, api)).filter(({ status }) => status === 202)).toHaveLength(5);
});

it('is used after validation and permission checks, and not by a replay', async () => {
  const { api } = await organization();
  const reader = (await keyWith(api, { scopes: ['tasks:read'] })).api;
  clock.set(Date.now());
  const first = await draft(api, { 'idempotency-key': 'once' });
  for (let time = 0; time < 12; time += 1) {
    expect((await api.post('/tasks/draft', {})).status).toBe(400);
    expect((await draft(reader)).status).toBe(403);
    expect((await draft(api, { 'idempotency-key': 'once' })).text).toBe(first.text);
  }
  expect((await many(9, api)).map(({ status }) => status)).toEqual(Array(9).fill(202));
  const refused = await draft(api, { 'idempotency-key': 'refused' });
  expect([refused.status, (await draft(api, { 'idempotency-key': 'once' })).status]).toEqual([429, 202]);
  clock.advance(60_000);
  expect((await draft(api, { 'idempotency-key': 'refused' })).status).toBe(202);
});

it('is raised by the operator, for one organization', async () => {
  const { id, api } = await organization();
  expect((await api.get('/organization')).body.data.modelCallsPerMinute).toBe(10);
  await world.ops(`org update --org ${id} --model-calls-per-minute 12`);
  clock.set(Date.now());
  expect((await many(13, api)).filter(({ status }) => status === 202)).toHaveLength(12);
  expect((await api.patch('/organization', { modelCallsPerMinute: 1_000 })).status).toBe(400);
});
