import { jest } from '@jest/globals';
import type { Answer } from '#errors';
import { Catalogue } from '#operations';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { ApprovalRunner } from '../../../src/auth/approvals/approval-runner.service.js';
import { waysAround } from '../../../src/auth/approval-rules/mode-for.js';
import { LongOperations } from '../../../src/edge/overload/long-operations.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { performDue } from '../../support/jobs.js';
import { absentId } from '../../support/factories.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterEach(() => clock.restore());
afterAll(() => world.tenant.close());

describe.each(doorNames)('over %s, a request', (door) => {
  it('waits until a person approves it, and its retry gets the result', async () => {
    const { key } = await world.asking('destructive');
    const [taskId, idempotencyKey] = [await world.newTask(), `k-${door}`];
    const ask = () => world.tenant.doors[door].as(key).ask('archiveTask', { taskId }, { idempotencyKey });
    const held = await ask();
    expect(held.body.data).toEqual({
      id: expect.stringMatching(/^approval_[0-9a-f]{32}$/),
      status: 'pending',
      operation: 'archiveTask',
      summary: 'Archive a task',
      url: `${world.tenant.service.url}/approvals/${held.body.data.id}`,
      expiresAt: expect.any(String),
      next: expect.stringContaining('url'),
    });
    expect((await ask()).body.data.id).toBe(held.body.data.id);
    expect(await world.archived(taskId)).toBe(false);
    expect(await world.decide(held.body, 'approve')).toContain('Approved');
    expect(await world.outcomeOf(held.body.data.id as string, key)).toMatchObject({ status: 'done' });
    const retried = await ask();
    expect(retried.body).toMatchObject({ data: { id: taskId }, meta: { requestId: held.body.meta.requestId } });
    expect(await world.archived(taskId)).toBe(true);
  });

  it('is rejected without an approval if it would be rejected anyway or a rule forbids it', async () => {
    const [asks, mayNot] = [await world.asking('destructive'), await world.asking('archiveTask', 'forbid')];
    const absent = await world.tenant.doors[door].as(asks.key).ask('archiveTask', { taskId: absentId('task') });
    expect(absent.status).toBe(404);
    const forbidden = await world.tenant.doors[door]
      .as(mayNot.key)
      .ask('archiveTask', { taskId: await world.newTask() });
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
    for (const { api } of [asks, mayNot]) expect((await api.get('/approvals')).body.data).toEqual([]);
  });

  it('of another credential returns the same response as an absent one', async () => {
    const { key } = await world.asking('destructive');
    const held = await world.tenant.doors[door].as(key).ask('archiveTask', { taskId: await world.newTask() });
    const approvalId = held.body.data.id as string;
    for (const other of [world.tenant.doors[door], world.tenant.doors[door].as(world.tenant.stranger.key as string)]) {
      expect((await other.ask('getApproval', { approvalId })).status).toBe(404);
      expect((await other.ask('withdrawApproval', { approvalId })).status).toBe(404);
    }
  });
});

describe('the outcome', () => {
  const held = async (wishes: object = {}) => {
    const asker = await world.asking('destructive');
    const taskId = await world.newTask();
    const send = () =>
      asker.api.send('POST', `/tasks/${taskId}/archive`, undefined, { 'idempotency-key': 'k', ...wishes });
    const reply = await send();
    expect([reply.status, reply.headers.get('location')]).toEqual([202, `/api/v1/approvals/${reply.body.data.id}`]);
    return { ...asker, taskId, send, pending: reply.body, approvalId: reply.body.data.id as string };
  };

  it('includes the note of the person who rejected it, and the retry is 403', async () => {
    const { send, pending, taskId, api, approvalId } = await held();
    await world.decide(pending, 'refuse', { note: 'Not this one' });
    const { status, body } = await send();
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'APPROVAL_REFUSED',
      { approvalId, note: 'Not this one' },
    ]);
    expect((await api.get(`/approvals/${approvalId}`)).body.data).toMatchObject({
      status: 'refused',
      note: 'Not this one',
      response: null,
    });
    expect(await world.archived(taskId)).toBe(false);
  });

  it.each(doorNames)('nobody is asked again for ten minutes after a refusal over %s', async (door) => {
    const { key } = await world.asking('destructive');
    const taskId = await world.newTask();
    const caller = world.tenant.doors[door].as(key);
    const ask = () => caller.ask('archiveTask', { taskId });
    const asked = await ask();
    expect(asked.body.data.status).toBe('pending');
    await world.decide(asked.body, 'refuse', { note: 'Not this one' });
    const details = { approvalId: asked.body.data.id, note: 'Not this one' };
    const isRefused = async (reply: ReturnType<typeof ask>) => {
      const { status, body } = await reply;
      expect([status, body.error.code, body.error.details]).toEqual([403, 'APPROVAL_REFUSED', details]);
    };
    await isRefused(ask());
    // Not with a new key either.
    const path = `/tasks/${taskId}/archive`;
    await isRefused(world.tenant.api.as(key).send('POST', path, undefined, { 'idempotency-key': `new ${door}` }));
    expect((await caller.ask('listApprovals', {})).body.data).toHaveLength(1);
    // Another request is another question, and so is the same one of another credential.
    const other = await caller.ask('archiveTask', { taskId: await world.newTask() });
    const another = await (await world.asking('destructive')).api.post(path);
    expect([other, another].map(({ body }) => body.data?.status)).toEqual(['pending', 'pending']);
    clock.advance(10 * 60_000 + 1);
    const again = await ask();
    expect(again.body.data?.status).toBe('pending');
  });

  it('is 403 after it expires, also on the page', async () => {
    const { send, pending, api, approvalId, taskId } = await held();
    const page = await world.browser.get(pathOf(pending));
    clock.advance(30 * 60_000 + 1);
    expect((await send()).body.error.code).toBe('APPROVAL_EXPIRED');
    expect((await api.get(`/approvals/${approvalId}`)).body.data.status).toBe('expired');
    await world.browser.submit(page, pathOf(pending), { decision: 'approve' });
    clock.restore();
    expect(await world.archived(taskId)).toBe(false);
  });

  it('is 403 after it was withdrawn, and nobody can approve it', async () => {
    const { send, pending, api, approvalId, taskId } = await held();
    const page = await world.browser.get(pathOf(pending));
    expect((await api.post(`/approvals/${approvalId}/withdraw`)).body.data.status).toBe('withdrawn');
    expect((await send()).body.error.code).toBe('APPROVAL_WITHDRAWN');
    expect((await world.browser.submit(page, pathOf(pending), { decision: 'approve' })).text).toContain('withdrew');
    expect(await world.archived(taskId)).toBe(false);
  });

  it('is 422 for another request with its key', async () => {
    const { api } = await held();
    const other = await api.send('POST', `/tasks/${await world.newTask()}/archive`, undefined, {
      'idempotency-key': 'k',
    });
    expect(other.status).toBe(422);
  });

  it('is the same for other keys that repeated it while it waited, without another approval', async () => {
    const { api, taskId, approvalId, pending } = await held();
    const repeat = (key: string, id = taskId) =>
      api.send('POST', `/tasks/${id}/archive`, undefined, { 'idempotency-key': key });
    for (const key of ['k2', 'k3', 'k2']) expect((await repeat(key)).body.data.id).toBe(approvalId);
    expect((await repeat('k2', await world.newTask())).status).toBe(422);
    await world.decide(pending, 'approve');
    await world.outcomeOf(approvalId, api.key as string);
    const answers = await Promise.all(['k', 'k2', 'k3'].map((key) => repeat(key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await api.get('/approvals')).body.data).toHaveLength(1);
  });

  it('is awaited for as long as the request prefers', async () => {
    const { pending, taskId, api } = await held();
    const long = jest.spyOn(world.tenant.service.app.get(LongOperations), 'during');
    const waiting = api.send('POST', `/tasks/${taskId}/archive`, undefined, {
      'idempotency-key': 'k',
      prefer: 'wait=20',
    });
    await world.decide(pending, 'approve');
    const { status, body, headers } = await waiting;
    expect([status, body.data.id, headers.get('preference-applied')]).toEqual([200, taskId, 'wait=20']);
    // Other operations do not wait for the person.
    const performed = (await Promise.all(long.mock.results.map(({ value }) => value))) as Answer[];
    expect(performed.filter((answer) => answer.headers?.['Preference-Applied'])).toEqual([]);
    long.mockRestore();
  });

  it('is the response for 24 hours, also for a request without a key', async () => {
    const { api, key } = await world.asking('destructive');
    const taskId = await world.newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    expect((await api.post(`/tasks/${taskId}/archive`)).body.data.id).toBe(body.data.id);
    await world.decide(body, 'approve');
    const { response } = await world.outcomeOf(body.data.id as string, key);
    expect(response).toMatchObject({ status: 200, body: { data: { id: taskId }, meta: body.meta } });
    // A clock that is a day ahead would end the browser's session.
    await world.tenant.service.app
      .get(SystemDatabase)
      .rows(`update approvals set due_at = due_at - interval '24 hours' where id = $1`, [
        uuidIn(body.data.id as string),
      ]);
    await performDue(world.tenant.service.app.get(ApprovalRunner));
    expect((await api.get(`/approvals/${body.data.id}`)).body.data.response).toBeNull();
  });
});

it('keeps at most 20 requests of a credential', async () => {
  const { api } = await world.asking('createTask');
  const names = Array.from({ length: 20 }, (_, index) => `Task ${index}`);
  for (const name of names) expect((await api.post('/tasks', { name })).status).toBe(202);
  const { status, body } = await api.post('/tasks', { name: 'One more' });
  expect([status, body.error.code]).toEqual([409, 'TOO_MANY_APPROVALS']);
  expect((await api.post('/tasks', { name: 'Task 0' })).status).toBe(202);
});

it('rehearses what needs approval, and withdraws without it', async () => {
  const { api } = await world.asking('everything');
  const rehearsed = await api.post('/tasks?dryRun=true', { name: 'Sweep' });
  expect([rehearsed.status, rehearsed.body.meta.dryRun]).toEqual([200, true]);
  const { body } = await api.post('/tasks', { name: 'Sweep' });
  expect((await api.post(`/approvals/${body.data.id}/withdraw`)).status).toBe(200);
});

it('knows the operations that would bypass a rule', () => {
  const names = world.tenant.service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation.name);
  expect([...waysAround].filter((name) => !names.includes(name))).toEqual([]);
});
