import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { DeviceSimulator } from '../../../src/features/devices/providers/simulator/simulator.provider.js';
import { RunWorker } from '../../../src/features/workflows/runs/run-worker.service.js';
import { RunsRepository } from '../../../src/features/workflows/runs/runs.repository.js';
import { WebhookSteps } from '../../../src/features/workflows/runs/webhook-steps.service.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith, type MadeKey, propertyOf, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { addPerson } from '../../support/people.js';
import { startReceiver } from '../../support/receiver.js';
import { simulatorOf } from '../../support/simulator.js';
import { activeWorkflowOf, hasEnded, runWhen } from '../../support/workflows.js';
import { ended, isWaiting, RunWorld, task, wait } from './run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.start();
});
afterEach(() => clock.restore());
afterAll(() => world.service.close());

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object = {}) => doors(world.service)[door].as(world.key).ask(operation, input);

  it('a run shows its timeline, its actor, and the result of each step', async () => {
    const steps = [
      task({}, 'made'),
      { kind: 'operation', operation: 'startTask', input: { taskId: '{{steps.made.id}}' } },
    ];
    const workflowId = await world.manual(steps);
    const { status, body } = await ask('runWorkflow', { workflowId });
    expect([status, body.data.status]).toEqual([200, 'queued']);
    await runWhen(world.api, workflowId, hasEnded);
    const shown = (await ask('getWorkflowRun', { runId: body.data.id })).body.data;
    expect(shown).toMatchObject({ ...ended, workflowId, workflowVersion: 1, dueAt: null });
    const taskId = shown.steps[0].result.id as string;
    expect(shown.steps).toMatchObject([
      { stepId: 'made', status: 'succeeded', attempts: 1, input: { name: 'By a workflow' } },
      { stepId: 'step_1', status: 'succeeded', input: { taskId }, result: { id: taskId } },
    ]);
    expect((await world.api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    const [entry] = (await world.api.get(`/audit-entries?targetId=${taskId}`)).body.data;
    const credential = { kind: 'workflow', id: workflowId, runId: body.data.id };
    expect([entry.action, entry.credential]).toEqual(['startTask', credential]);
    expect(entry.logId).toMatch(/^request_[0-9a-f]{32}$/);
    expect((await ask('listWorkflowRuns', { workflowId })).body.data).toEqual([shown]);
  });

  it('a failed step is retried on request, and completed steps are not repeated', async () => {
    const taskId = await taskOf(world.api);
    await world.api.post(`/tasks/${taskId}/complete`);
    const name = `Once over ${door}`;
    const steps = [task({ name }), { kind: 'operation', operation: 'startTask', input: { taskId } }];
    const runId = await world.run(await world.manual(steps));
    const workflowId = (await world.runOf(runId)).workflowId as string;
    const failed = await runWhen(world.api, workflowId, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'TASK_NOT_PENDING']);
    expect(failed.error.message).toMatch(/[.]$/);
    expect(failed.error.message).not.toMatch(/new key/);
    expect((await ask('cancelWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_RUN_ENDED');
    await world.api.post(`/tasks/${taskId}/reopen`);
    await world.api.post(`/tasks/${taskId}/cancel`);
    expect((await ask('retryWorkflowRun', { runId })).body.data).toMatchObject({ status: 'queued', error: null });
    const again = await runWhen(world.api, workflowId, hasEnded);
    expect([again.status, again.steps[1].attempts]).toEqual(['failed', 1]);
    expect(again.error.message).not.toBe(failed.error.message);
    expect(await world.tasksNamed(name)).toHaveLength(1);
  });

  it('a failed run of an archived workflow does not change', async () => {
    const taskId = await taskOf(world.api);
    const workflowId = await world.manual([{ kind: 'operation', operation: 'reopenTask', input: { taskId } }]);
    const runId = await world.run(workflowId);
    await runWhen(world.api, workflowId, hasEnded);
    await world.api.post(`/workflows/${workflowId}/archive`);
    await world.api.post(`/tasks/${taskId}/complete`);
    expect((await ask('retryWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_ARCHIVED');
    expect((await world.runOf(runId)).status).toBe('failed');
  });

  it('a waiting run is cancelled, and does not count as failed', async () => {
    const name = `Never over ${door}`;
    const workflowId = await world.manual([wait(10), task({ name })]);
    const runId = await world.run(workflowId);
    await runWhen(world.api, workflowId, isWaiting);
    const due = { orgId: (await world.api.get('/me')).body.data.organization.id as string, id: runId };
    expect(await world.service.app.get(RunsRepository).claims.take(due)).toBeUndefined();
    expect((await ask('retryWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_RUN_NOT_FAILED');
    expect((await ask('cancelWorkflowRun', { runId })).body.data.status).toBe('cancelled');
    clock.advance(11 * 60_000);
    await performDue(world.service.app.get(RunWorker));
    expect(await world.tasksNamed(name)).toEqual([]);
    expect((await world.runOf(runId)).status).toBe('cancelled');
  });
});

it.each(doorNames)('shows a limited key only the runs about its property, over %s', async (door) => {
  const [here, elsewhere] = [await world.stayIn(30), await world.stayIn(30)];
  const ofStays = await world.manual([wait(10)], { reservation: true });
  const seen = await world.run(ofStays, { reservationId: here.id });
  const hidden = [
    await world.run(ofStays, { reservationId: elsewhere.id }),
    await world.run(await world.manual([wait(10)])),
  ];
  const limited = doors(world.service)[door].as((await keyWith(world.api, { propertyIds: [here.propertyId] })).key);
  const listed = (await limited.ask('listWorkflowRuns', { limit: 100 })).body.data as Json[];
  expect(listed.map(({ id }) => id as string)).toEqual([seen]);
  for (const operation of ['getWorkflowRun', 'cancelWorkflowRun'])
    for (const runId of hidden) expect((await limited.ask(operation, { runId })).status).toBe(404);
  expect((await limited.ask('getWorkflowRun', { runId: seen })).status).toBe(200);
  // A retry goes beyond the limit, whatever the run is about; the error does not distinguish runs.
  for (const runId of [seen, ...hidden])
    expect((await limited.ask('retryWorkflowRun', { runId })).body.error.code).toBe('ORGANIZATION_WIDE');
  expect((await limited.ask('cancelWorkflowRun', { runId: seen })).status).toBe(200);
});

it('takes the branch that matches the facts', async () => {
  const branch = (value: string, name: string): object => ({
    kind: 'branch',
    conditions: { match: 'all', rules: [{ field: 'reservation.channel', operator: 'equals', value }] },
    steps: [task({ name: `${name}: yes` })],
    otherwise: [task({ name: `${name}: no` })],
  });
  const stay = await world.stayIn(30, { channel: 'direct' });
  const workflowId = await world.manual([branch('direct', 'One'), branch('airbnb', 'Two')], { reservation: true });
  expect((await world.api.post(`/workflows/${workflowId}/run`)).status).toBe(400);
  await world.run(workflowId, { reservationId: stay.id });
  expect(await runWhen(world.api, workflowId, hasEnded)).toMatchObject(ended);
  const made = await Promise.all(['One: yes', 'One: no', 'Two: yes', 'Two: no'].map((name) => world.tasksNamed(name)));
  expect(made.map(({ length }) => length)).toEqual([1, 0, 0, 1]);
});

describe('permissions that are withdrawn while a run waits', () => {
  const able = ['workflows:read', 'workflows:write', 'events:read', 'tasks:read', 'tasks:write', 'webhooks:manage'];
  const revoked = ({ id }: MadeKey) => Promise.resolve(`/api-keys/${id}/revoke`);
  const suspended = async (writer: MadeKey) => `/members/${(await writer.api.get('/me')).body.data.member.id}/suspend`;
  it.each([
    ['an operation', task({ name: 'Forbidden' }), revoked],
    ['a webhook', { kind: 'webhook', url: 'http://127.0.0.1:9/' }, revoked],
    ['an operation of a member who is suspended', task({ name: 'Forbidden' }), suspended],
  ])('fail its next step: %s', async (_, last, withdrawal) => {
    const key = await keyWith(world.api, { scopes: able });
    const { api: writer } = key;
    const saved = await writer.post('/workflows', {
      name: 'Withdrawn',
      trigger: { kind: 'manual' },
      steps: [task({ name: 'Allowed' }), wait(60), last],
    });
    const workflowId = saved.body.data.id as string;
    await world.api.post(`/workflows/${workflowId}/activate`);
    await world.run(workflowId);
    await runWhen(world.api, workflowId, isWaiting);
    expect((await world.api.post(await withdrawal(key))).status).toBe(200);
    clock.advance(61 * 60_000);
    const failed = await runWhen(world.api, workflowId, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'FORBIDDEN']);
    expect(failed.steps.map(({ status }: Json) => status as string)).toEqual(['succeeded', 'succeeded', 'failed']);
    expect(await world.tasksNamed('Forbidden')).toEqual([]);
  });
});

describe.each(doorNames)('an event that the member may no longer read, over %s', (name) => {
  it('fails the next step, and is hidden from callers who may not read it', async () => {
    const permissions = ['events:read', 'guests:read', 'tasks:write'];
    const role = (await world.api.post('/roles', { name: `Reader over ${name}`, permissions })).body.data;
    const { id: runAsMemberId } = await addPerson(world.service, { role: role.name });
    const workflowId = await activeWorkflowOf(world.api, {
      trigger: { kind: 'event', eventType: 'guest.created' },
      runAsMemberId,
      steps: [wait(60), task({ name: 'Forbidden: {{event.data.id}}' })],
    });
    const guest = (await world.api.post('/guests', { name: 'Ann' })).body.data;
    const { id: runId } = await runWhen(world.api, workflowId, isWaiting);
    const shownTo = async (scopes: string[]): Promise<Json> => {
      const { key: reader } = await keyWith(world.api, { scopes });
      const door = doors(world.service)[name].as(reader);
      const listed = await door.ask('listWorkflowRuns', { workflowId });
      const { data } = (await door.ask('getWorkflowRun', { runId })).body;
      expect(listed.body.data).toEqual([data]);
      return data;
    };
    expect((await shownTo(['workflows:read', 'guests:read'])).trigger.event.data.id).toBe(guest.id);
    const { event } = (await shownTo(['workflows:read'])).trigger;
    expect([event.type, event.data]).toEqual(['guest.created', undefined]);
    await world.api.patch(`/roles/${role.id}`, { permissions: ['events:read', 'tasks:write'] });
    clock.advance(61 * 60_000);
    const failed = await runWhen(world.api, workflowId, hasEnded);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
    expect(failed.error.message).toContain('guests:read');
    expect(await world.tasksNamed(`Forbidden: ${guest.id}`)).toEqual([]);
  });
});

it('finds no stay that its member may not see', async () => {
  const theirs = await propertyOf(world.api, 'Theirs');
  const { id: runAsMemberId } = await addPerson(world.service, { role: 'owner', propertyIds: [theirs] });
  const steps = [{ kind: 'wait', until: 'arrival' }];
  const workflowId = await activeWorkflowOf(world.api, {
    trigger: { kind: 'manual', reservation: true },
    steps,
    runAsMemberId,
  });
  await world.run(workflowId, { reservationId: (await world.stayIn(30)).id });
  expect((await runWhen(world.api, workflowId, hasEnded)).error.code).toBe('NOT_FOUND');
});

it('sends signed webhooks, retries failures, and keeps one id for each', async () => {
  const receiver = await startReceiver();
  const id = await world.manual([{ kind: 'webhook', url: receiver.url, payload: { run: '{{run.id}}' } }]);
  receiver.answer = (_, response) => response.writeHead(receiver.received.length > 1 ? 204 : 500).end();
  const runId = await world.run(id);
  const failing = await runWhen(world.api, id, isWaiting);
  expect(failing.steps).toMatchObject([{ status: 'waiting', attempts: 1, error: { code: 'CONNECTOR_ERROR' } }]);
  clock.advance(6_000);
  expect(await runWhen(world.api, id, hasEnded)).toMatchObject(ended);
  const { secret } = (await world.api.post(`/workflows/${id}/secret/reveal`)).body.data;
  const [first, second] = receiver.received;
  clock.restore();
  const verified = new Webhook(secret as string).verify(first?.text ?? '', first?.headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { workflowId: id, runId, stepId: 'step_1', payload: { run: runId } } });
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  await receiver.close();
});

it('retries an unreachable address, and never calls an internal one', async () => {
  const send = (url: string) =>
    world.service.app.get(WebhookSteps).send({ orgId: 'org_1', workflowId: 'workflow_1', id: 'x', url, data: {} });
  const failed = { outcome: 'failed', error: { code: 'CONNECTOR_ERROR' } };
  expect(await send('http://127.0.0.1:9/')).toMatchObject({ ...failed, isPassing: true });
  expect(await send('http://10.0.0.1/')).toMatchObject({ ...failed, isPassing: false });
});

it('controls devices, and reports what their provider rejects', async () => {
  const simulator = await simulatorOf(world.api);
  const deviceId = simulator.devices['sim-lock-1'];
  const lock = (): Promise<string> =>
    world.manual([{ kind: 'operation', operation: 'lockDevice', input: { deviceId } }]);
  const [well, ill] = [await lock(), await lock()];
  await world.run(well);
  expect(await runWhen(world.api, well, hasEnded)).toMatchObject(ended);
  await simulator.behave('refuse');
  await world.run(ill);
  const { error, steps } = await runWhen(world.api, ill, ({ steps: [step] }) => step?.error !== undefined);
  expect([steps[0].error.code, error]).toEqual(['CONNECTOR_ERROR', null]);
  clock.advance(6_000);
  const failed = await runWhen(world.api, ill, hasEnded);
  // The error is kept under the step's key: the device was asked once.
  expect([failed.status, failed.error.code]).toEqual(['failed', 'CONNECTOR_ERROR']);
  expect((await simulator.counts()).contacts).toBe(2);
});

describe('a command that is still in progress after its response', () => {
  /** Started by a run that continues with a task, and moved to the time when the run waits for it. */
  const begun = async (name: string) => {
    const simulator = await simulatorOf(world.api);
    await simulator.behave('slow');
    const deviceId = simulator.devices['sim-lock-1'];
    const id = await world.manual([
      { kind: 'operation', operation: 'unlockDevice', input: { deviceId } },
      task({ name }),
    ]);
    await world.run(id);
    await until(simulator.counts, ({ contacts }) => contacts === 1);
    clock.advance(10_000);
    const waiting = await runWhen(world.api, id, isWaiting);
    expect(waiting.steps).toMatchObject([{ status: 'waiting', attempts: 1, result: { id: expect.any(String) } }]);
    expect(Date.parse(waiting.dueAt as string)).toBeGreaterThan(Date.now());
    return { id, simulator, commandId: waiting.steps[0].result.id as string };
  };
  const settled = async (commandId: string): Promise<Json> => {
    clock.advance(5_000);
    const askedAt = performance.now();
    const command = await until(
      async () => {
        // The service inquired a moment before the clock moved, and inquires again some seconds later.
        if (performance.now() - askedAt > 5_000) clock.advance(1_000);
        return (await world.api.get(`/device-commands/${commandId}`)).body.data as Json;
      },
      ({ settledAt }) => settledAt !== null,
    );
    await feedSettled(world.service);
    clock.advance(5_000);
    return command;
  };

  it('is awaited, and the next step runs once it has taken effect', async () => {
    const name = 'Behind an open door';
    const { id, simulator, commandId } = await begun(name);
    // Checked once more before it ends, it is still in progress.
    clock.advance(2_000);
    await performDue(world.service.app.get(RunWorker));
    expect((await runWhen(world.api, id, isWaiting)).steps).toHaveLength(1);
    expect(await world.tasksNamed(name)).toEqual([]);
    expect((await settled(commandId)).status).toBe('succeeded');
    const { steps, ...done } = await runWhen(world.api, id, hasEnded);
    expect(done).toMatchObject(ended);
    expect(steps[0]).toMatchObject({ status: 'succeeded', attempts: 1, result: { id: commandId } });
    expect(steps[0]).not.toHaveProperty('dueAt');
    expect(await world.tasksNamed(name)).toHaveLength(1);
    expect(await simulator.counts()).toEqual({ contacts: 1, effects: 1 });
  });

  it('fails its step if its effect is unknown, and is replaced by a new one on retry', async () => {
    const name = 'Behind a door of which nobody knows';
    // From the beginning, because a slow machine may inquire before the run is found waiting.
    const inquiry = jest
      .spyOn(world.service.app.get(DeviceSimulator), 'inquire')
      .mockResolvedValue({ outcome: 'accepted' });
    const { id, simulator, commandId } = await begun(name);
    inquiry.mockResolvedValue({ outcome: 'unknown' });
    expect((await settled(commandId)).status).toBe('unknown');
    inquiry.mockRestore();
    const failed = await runWhen(world.api, id, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'CONNECTOR_ERROR']);
    expect(failed.steps).toMatchObject([{ status: 'failed', attempts: 1, error: failed.error }]);
    expect(failed.steps[0]).not.toHaveProperty('dueAt');
    expect(await world.tasksNamed(name)).toEqual([]);
    await simulator.behave('ok');
    await world.api.post(`/workflow-runs/${failed.id}/retry`);
    expect(await runWhen(world.api, id, hasEnded)).toMatchObject(ended);
    expect((await simulator.counts()).contacts).toBe(2);
  });
});
