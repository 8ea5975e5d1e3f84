import { jest } from '@jest/globals';
import { LongOperations } from '../../../src/edge/overload/long-operations.js';
import { Logger } from '@nestjs/common';
import { ModelJobRunner } from '../../../src/outside/models/model-job-runner.js';
import { ModelJobsService } from '../../../src/outside/models/model-jobs.service.js';
import { ModelJobsRepository } from '../../../src/outside/models/model-jobs.repository.js';
import type { Json, Reply } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { absentId, keyWith, type MadeKey, propertyOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { hostileTexts } from '../../support/hostile-texts.js';
import { cutOff, drafts, fails, held, late, respondsWith } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { withSampleDrafts } from '../../support/sample-drafts.js';
import { startApp } from '../../support/start-app.js';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => void world.model.asked.splice(0));
afterEach(() => clock.restore());

const api = () => world.service.api.as(world.key);
const ask = (input: object = {}, headers: Record<string, string> = {}): Promise<Reply> =>
  api().post('/tasks/draft', { instruction: 'Sweep the terrace', ...input }, headers);
const sweep = (name = 'Sweep the terrace') => drafts({ name, priority: 'normal' });
let drafted = 0;
/** A name that no other test saves. */
const newName = (): string => `Drafted ${(drafted += 1)}`;
const jobOf = async (reply: Reply): Promise<Json> => await world.ended(reply.body.data.id as string);

describe.each(doorNames)('a model-backed operation over %s', (name) => {
  const door = () => doors(world.service)[name].as(world.key);

  it('returns a job, which ends with its result', async () => {
    const task = newName();
    world.model.script(sweep(task));
    const { status, body } = await door().ask('draft_task', { instruction: 'Sweep' });
    expect([status, body.data]).toEqual([
      202,
      expect.objectContaining({ operation: 'draft_task', status: 'queued', result: null, finishedAt: null }),
    ]);
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      error: null,
      result: { taskId: expect.stringMatching(/^task_/) },
      usage: { model: 'stub', temperature: 0.2, calls: 1, inputTokens: 100, outputTokens: 20 },
    });
    const saved = await api().get(`/tasks/${job.result.taskId}`);
    expect(saved.body.data.name).toBe(task);
    expect((await door().ask('getModelJob', { jobId: job.id })).body.data).toEqual(job);
    expect((await door().ask('listModelJobs', { limit: 1 })).body.data).toEqual([job]);
  });

  it('has the model correct errors, with a list of them', async () => {
    world.model.script(
      respondsWith('I would rather not'),
      drafts({ name: 'See https://attacker.example', priority: 'normal' }),
      sweep(newName()),
    );
    const { body } = await door().ask('draft_task', { instruction: 'Sweep' });
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({ status: 'succeeded', usage: { calls: 3, inputTokens: 300 } });
    const prompts = world.model.asked.map(({ body: { messages } }) => messages.at(-1)?.content ?? '');
    expect(prompts[1]).toContain('- the answer: It is not JSON.');
    expect(prompts[2]).toContain('- name: A name has no address in it.');
  });

  it('fails with the issues after two corrections, and has saved nothing', async () => {
    const before = await world.taskNames();
    world.model.script(drafts({ name: 'x', priority: 'urgent', link: 'y' }));
    const { body } = await door().ask('draft_task', { instruction: 'Sweep' });
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({ status: 'failed', result: null, error: { code: 'DRAFT_REFUSED' } });
    expect(job.error.details.issues).toEqual([
      { path: [], message: expect.stringContaining('link') },
      { path: ['priority'], message: expect.stringContaining('low, normal, high') },
    ]);
    expect(world.model.asked).toHaveLength(3);
    expect(await world.taskNames()).toEqual(before);
  });

  it("is cancelled, queued or running, and the model's later response is dropped", async () => {
    const task = newName();
    const { reply, asked, release } = held(sweep(task));
    world.model.script(reply);
    const { body } = await door().ask('draft_task', { instruction: 'Sweep' });
    await asked;
    const { status, body: cancelled } = await door().ask('cancelModelJob', { jobId: body.data.id });
    expect([status, cancelled.data.status]).toEqual([200, 'cancelled']);
    release();
    expect((await door().ask('cancelModelJob', { jobId: body.data.id })).body.data).toEqual(cancelled.data);
    world.model.script(sweep(newName()));
    const next = await door().ask('draft_task', { instruction: 'Sweep' });
    await world.ended(next.body.data.id);
    expect(await world.ended(body.data.id)).toEqual(cancelled.data);
    expect(await world.taskNames()).not.toContain(task);
    const refused = await door().ask('cancelModelJob', { jobId: next.body.data.id });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'MODEL_JOB_ENDED']);
  });

  const losses: Record<string, (key: MadeKey) => Promise<Reply>> = {
    'the key is revoked': ({ id }) => api().post(`/api-keys/${id}/revoke`),
    'its member is suspended': async (made) => {
      const { id } = (await made.api.get('/me')).body.data.member;
      return await api().post(`/members/${id}/suspend`);
    },
    'its member is limited to other properties': async (made) => {
      const { id } = (await made.api.get('/me')).body.data.member;
      return await api().patch(`/members/${id}`, { propertyIds: [await propertyOf(api(), 'Elsewhere')] });
    },
  };
  it.each(Object.entries(losses))('saves nothing if, while the model works, %s', async (_, lose) => {
    const task = newName();
    const { reply, asked, release } = held(sweep(task));
    world.model.script(reply);
    const made = await keyWith(api(), { scopes: ['guides:write'] });
    const propertyId = await propertyOf(api(), 'Here');
    const { body } = await door().as(made.key).ask('draft_task', { instruction: 'Sweep', propertyId });
    await asked;
    expect((await lose(made)).status).toBe(200);
    release();
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({ status: 'failed', result: null, error: { code: 'FORBIDDEN' } });
    expect(job.error.message).toContain('Nothing was saved');
    expect(await world.taskNames()).not.toContain(task);
  });

  it('continues for a key that replaced the requesting one', async () => {
    const task = newName();
    const { reply, release } = held(sweep(task));
    world.model.script(reply);
    const made = await keyWith(api(), { scopes: ['guides:write'] });
    const { body } = await door().as(made.key).ask('draft_task', { instruction: 'Sweep' });
    const rotated = await api().post(`/api-keys/${made.id}/rotate`, { overlapSeconds: 0 });
    expect([rotated.status, (await made.api.get('/me')).status]).toEqual([200, 401]);
    release();
    expect((await world.ended(body.data.id)).status).toBe('succeeded');
    expect(await world.taskNames()).toContain(task);
  });

  it('asks no model if the key was revoked before the work starts', async () => {
    world.model.script(fails(429, { 'retry-after': '30' }));
    clock.set(Date.now());
    const made = await keyWith(api(), { scopes: ['guides:write'] });
    const { body } = await door().as(made.key).ask('draft_task', { instruction: 'Sweep' });
    await until(
      async () => (await api().get(`/model-jobs/${body.data.id}`)).body.data as Json,
      ({ status, attempts }) => status === 'queued' && attempts === 1,
    );
    await api().post(`/api-keys/${made.id}/revoke`);
    clock.advance(31_000);
    expect(await world.ended(body.data.id)).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
    expect(world.model.asked).toHaveLength(1);
  });

  it('shows a job to callers with the scope of its operation, at their properties', async () => {
    world.model.script(sweep(newName()));
    const [here, elsewhere] = [await propertyOf(api(), 'Here'), await propertyOf(api(), 'Elsewhere')];
    const ids = await Promise.all(
      [here, elsewhere, undefined].map(async (propertyId) => {
        const { body } = await door().ask('draft_task', { instruction: 'Sweep', propertyId });
        return (await world.ended(body.data.id)).id as string;
      }),
    );
    const seenBy = async (wishes: object): Promise<[number[], boolean[]]> => {
      const other = door().as((await keyWith(api(), wishes)).key);
      const statuses = await Promise.all(ids.map(async (jobId) => (await other.ask('getModelJob', { jobId })).status));
      const { body } = await other.ask('listModelJobs', { limit: 100 });
      const listed = new Set((body.data as { id: string }[]).map(({ id }) => id));
      return [statuses, ids.map((id) => listed.has(id))];
    };
    expect(await seenBy({ scopes: ['guides:write'] })).toEqual([
      [200, 200, 200],
      [true, true, true],
    ]);
    expect(await seenBy({ scopes: ['tasks:read'] })).toEqual([
      [404, 404, 404],
      [false, false, false],
    ]);
    expect(await seenBy({ scopes: ['guides:write'], propertyIds: [here] })).toEqual([
      [200, 404, 404],
      [true, false, false],
    ]);
    expect((await door().ask('listModelJobs', { propertyId: elsewhere })).body.data).toHaveLength(1);
    const stranger = door().as((await keyWith(api(), { scopes: ['tasks:read'] })).key);
    expect((await stranger.ask('cancelModelJob', { jobId: ids[0] })).status).toBe(404);
    expect((await door().ask('getModelJob', { jobId: absentId('job') })).status).toBe(404);
  });
});

describe('the model’s server', () => {
  it.each([
    ['429', fails(429, { 'retry-after': '30' }), 30_000],
    ['500', fails(500), 2_000],
  ])('%s: the request is retried later, and the job succeeds', async (_, reply, restMs) => {
    clock.set(Date.now());
    world.model.script(reply, sweep(newName()));
    const { body } = await ask();
    const job = () => api().get(`/model-jobs/${body.data.id}`);
    const tried = await until(job, ({ body: { data } }) => data.attempts > 0 && data.status !== 'running');
    expect(tried.body.data).toMatchObject({ status: 'queued', attempts: 1 });
    clock.advance(restMs);
    expect(await jobOf(await ask())).toMatchObject({ status: 'succeeded' });
    expect(await world.ended(body.data.id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  it('fails repeatedly: the job fails, and reports the cause', async () => {
    world.model.script(fails(500));
    const { body } = await ask();
    const ended = world.ended(body.data.id);
    let isOver = false;
    void ended.then(() => (isOver = true));
    while (!isOver) {
      clock.advance(1_000);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await ended).toMatchObject({ status: 'failed', attempts: 5, error: { code: 'CONNECTOR_ERROR' } });
  });

  it('rejects permanently: the job fails immediately', async () => {
    world.model.script(fails(401));
    const job = await jobOf(await ask());
    expect(job).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'NON_RETRYABLE' } });
  });

  it('truncates a response: the model is told to be briefer', async () => {
    world.model.script(cutOff({ name: 'x', priority: 'low' }), sweep(newName()));
    expect(await jobOf(await ask())).toMatchObject({ status: 'succeeded', usage: { calls: 2 } });
    expect(world.model.asked[1]?.body.messages.at(-1)?.content).toContain('be briefer');
  });

  it('passes what guests wrote as data, never as instructions', async () => {
    for (const note of hostileTexts) {
      world.model.asked.splice(0);
      world.model.script(sweep(newName()));
      await jobOf(await ask({ note }));
      const [system, user] = (world.model.asked[0]?.body.messages ?? []).map(({ content }) => content);
      const [, mark] = /<(data-[0-9a-f]{32})>/.exec(system ?? '') ?? [];
      const [before, inside, after] = (user ?? '').split(new RegExp(`</?${mark}>`));
      expect([before, JSON.parse(inside ?? ''), after]).toEqual(['Sweep the terrace\n\n', { note }, '']);
    }
  });
});

it('is restarted if its process died, and late results of the first attempt are dropped', async () => {
  const [lost, kept] = [newName(), newName()];
  const [first, second] = [held(sweep(lost)), held(sweep(kept))];
  world.model.script(first.reply, second.reply, sweep(newName()));
  clock.set(Date.now());
  const { body } = await ask();
  while (world.model.asked.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const job = { orgId: (await api().get('/me')).body.data.organization.id as string, id: body.data.id as string };
  const { claims } = world.service.app.get(ModelJobsRepository, { strict: false });
  expect(await claims.take(job)).toBeUndefined();
  clock.advance(10_001);
  const again = performDue(world.service.app.get(ModelJobRunner, { strict: false }));
  while (world.model.asked.length === 1) await new Promise((resolve) => setImmediate(resolve));
  first.release();
  await jobOf(await ask());
  second.release();
  await again;
  expect(await world.ended(body.data.id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  expect(await world.taskNames()).toContain(kept);
  expect(await world.taskNames()).not.toContain(lost);
});

describe('Prefer: wait', () => {
  it('returns 200 with the job if it is done in time', async () => {
    world.model.script(sweep(newName()));
    const long = jest.spyOn(world.service.app.get(LongOperations, { strict: false }), 'during');
    const { status, headers, body } = await ask({}, { prefer: 'respond-async, wait=20' });
    // Other operations do not wait for the model.
    expect(await long.mock.results[0]?.value).toMatchObject({ status: 202 });
    long.mockRestore();
    expect([status, headers.get('preference-applied'), headers.get('location')]).toEqual([200, 'wait=20', null]);
    expect(body.data).toMatchObject({ status: 'succeeded', result: { taskId: expect.any(String) } });
  });

  it("returns 202 with the job's location after the time, and without the header", async () => {
    world.model.script(late());
    const waited = await ask({}, { prefer: 'wait=0' });
    expect([waited.status, waited.headers.get('location')]).toEqual([
      202,
      `/api/v1/model-jobs/${waited.body.data.id as string}`,
    ]);
    await api().post(`/model-jobs/${waited.body.data.id}/cancel`);
  });

  it('also waits in a replay, which returns the first response', async () => {
    const before = (await world.taskNames()).length;
    world.model.script(sweep(newName()));
    const headers = { 'idempotency-key': 'drafted once', prefer: 'wait=20' };
    const first = await ask({}, headers);
    const again = await ask({}, headers);
    expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 200, 'true']);
    expect(again.text).toBe(first.text);
    const plain = await ask({}, { 'idempotency-key': 'drafted once' });
    expect([plain.status, plain.body.data.id, plain.body.data.status]).toEqual([202, first.body.data.id, 'queued']);
    expect(await world.taskNames()).toHaveLength(before + 1);
  });

  it('applies to a call with a progress token, which reports progress', async () => {
    const { reply, release } = held(sweep(newName()));
    world.model.script(reply);
    const params = { name: 'draft_task', arguments: { instruction: 'Sweep' }, _meta: { progressToken: 'p' } };
    const response = await fetch(`${world.service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${world.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const looks = jest.spyOn(world.service.app.get(ModelJobsService, { strict: false }), 'get');
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString();
      if (!text.includes('"running"')) continue;
      // It is still running twice more, which is not reported again.
      const soFar = looks.mock.calls.length;
      void until(() => Promise.resolve(looks.mock.calls.length >= soFar + 2), Boolean).then(release);
    }
    looks.mockRestore();
    const messages = text
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace('event: message\ndata: ', '')) as Json);
    expect(messages.slice(0, -1).map(({ params: { progress, message } }) => [progress, message])).toEqual([
      [0, 'started'],
      [0.5, 'running'],
      [1, 'done'],
    ]);
    expect(messages.at(-1)?.result.structuredContent.data.status).toBe('succeeded');
  });
});

it('records what happens to a job, and nothing of its content', async () => {
  world.model.script(sweep(newName()));
  const { id } = await jobOf(await ask({ note: 'Mrs Quentin snores' }));
  await feedSettled(world.service);
  const { body } = await api().get(`/events?limit=100&subject=${id}`);
  expect((body.data as Json[]).map(({ type }) => type as string)).toEqual(['model_job.created', 'model_job.succeeded']);
  expect(JSON.stringify(body.data)).not.toMatch(/Quentin|Sweep|taskId/);
  world.model.script(late());
  const other = (await ask()).body.data.id as string;
  await api().post(`/model-jobs/${other}/cancel`);
  await feedSettled(world.service);
  const listed = (await api().get(`/events?limit=100&subject=${other}`)).body.data as Json[];
  expect(listed.map(({ type }) => type as string)).toEqual(['model_job.created', 'model_job.cancelled']);
});

it('is rejected immediately and permanently if no model is configured, which is logged once', async () => {
  const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  const service = await withSampleDrafts(() => startApp());
  await service.api.post('/tasks/draft', { instruction: 'Sweep' });
  const { status, body } = await service.api.post('/tasks/draft', { instruction: 'Sweep' });
  expect([status, body.error]).toEqual([
    500,
    {
      type: 'internal_error',
      code: 'NON_RETRYABLE',
      message: expect.stringContaining('MODEL_BASE_URL'),
    },
  ]);
  const told = warned.mock.calls.filter(([said]) => JSON.stringify(said).includes('MODEL_BASE_URL'));
  // Background work may have told it before.
  expect(told.length).toBeLessThanOrEqual(1);
  expect(failed).not.toHaveBeenCalled();
  warned.mockRestore();
  failed.mockRestore();
  expect((await service.api.get('/model-jobs')).body.data).toEqual([]);
  await service.close();
});
