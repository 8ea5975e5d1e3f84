import { jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { DeviceSimulator } from '../../../src/features/devices/providers/simulator/simulator.provider.js';
import { RunWorker } from '../../../src/features/workflows/runs/run-worker.service.js';
import { WebhookSteps } from '../../../src/features/workflows/runs/webhook-steps.service.js';
import { RunsRepository } from '../../../src/features/workflows/runs/runs.repository.js';
import { ScheduleTriggers } from '../../../src/features/workflows/triggers/schedule-triggers.service.js';
import { StayTriggers } from '../../../src/features/workflows/triggers/stay-triggers.service.js';
import { Closings } from '../../../src/tenancy/closing/closings.service.js';
import type { Api, Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith, type MadeKey, propertyOf, stayOf, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { addPerson } from '../../support/people.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { simulatorOf } from '../../support/simulator.js';
import { type Service, startApp } from '../../support/start-app.js';
import { activeWorkflowOf, hasEnded, runsOf, runWhen } from '../../support/workflows.js';

let service: Service;
let receiver: Receiver;
let api: Api;
let key: string;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startApp({ OUTBOUND_ALLOW: '127.0.0.1' });
  ({ api, key } = await keyWith(service.api));
});
afterEach(() => clock.restore());
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const task = (wishes: object = {}, id?: string): object => ({
  ...(id && { id }),
  kind: 'operation',
  operation: 'createTask',
  input: { name: 'By a workflow', ...wishes },
});
const wait = (minutes: number): object => ({ kind: 'wait', minutes });
const manual = (steps: object[], wishes: object = {}): Promise<string> =>
  activeWorkflowOf(api, { trigger: { kind: 'manual', ...wishes }, steps });
const run = async (workflowId: string, input: object = {}): Promise<string> => {
  const { body, text } = await api.post(`/workflows/${workflowId}/run`, input);
  if (!body.data) throw new Error(text);
  return body.data.id as string;
};
const tasksNamed = async (name: string): Promise<Json[]> =>
  ((await api.get('/tasks?limit=100')).body.data as Json[]).filter((one) => one.name === name);
const isWaiting = ({ status }: Json): boolean => status === 'waiting';
const runOf = async (id: string): Promise<Json> => (await api.get(`/workflow-runs/${id}`)).body.data;
let nights = 0;
/** A stay at nights of its own, a number of days from now. */
const stayIn = async (days: number, wishes: object = {}): Promise<Json> => {
  const place = await propertyOf(api, `House ${(nights += 1)}`);
  const dates = { checkInDate: dateIn(days), checkOutDate: dateIn(days + 2) };
  return await stayOf(api, { propertyId: place, ...dates, ...wishes });
};
const dayMs = 86_400_000;
const dateIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const move = (stayId: string, days: number) =>
  api.post(`/reservations/${stayId}/move`, { checkInDate: dateIn(days), checkOutDate: dateIn(days + 2) });
const ended = { status: 'succeeded', error: null };

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object = {}) => doors(service)[door].as(key).ask(operation, input);

  it('a run shows its timeline, its actor, and the result of each step', async () => {
    const steps = [
      task({}, 'made'),
      { kind: 'operation', operation: 'startTask', input: { taskId: '{{steps.made.id}}' } },
    ];
    const workflowId = await manual(steps);
    const { status, body } = await ask('runWorkflow', { workflowId });
    expect([status, body.data.status]).toEqual([200, 'queued']);
    await runWhen(api, workflowId, hasEnded);
    const shown = (await ask('getWorkflowRun', { runId: body.data.id })).body.data;
    expect(shown).toMatchObject({ ...ended, workflowId, workflowVersion: 1, dueAt: null });
    const taskId = shown.steps[0].result.id as string;
    expect(shown.steps).toMatchObject([
      { stepId: 'made', status: 'succeeded', attempts: 1, input: { name: 'By a workflow' } },
      { stepId: 'step_1', status: 'succeeded', input: { taskId }, result: { id: taskId } },
    ]);
    expect((await api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    const [entry] = (await api.get(`/audit-entries?targetId=${taskId}`)).body.data;
    const credential = { kind: 'workflow', id: workflowId, runId: body.data.id };
    expect([entry.action, entry.credential]).toEqual(['startTask', credential]);
    expect(entry.logId).toMatch(/^request_[0-9a-f]{32}$/);
    expect((await ask('listWorkflowRuns', { workflowId })).body.data).toEqual([shown]);
  });

  it('a failed step is retried on request, and completed steps are not repeated', async () => {
    const taskId = await taskOf(api);
    await api.post(`/tasks/${taskId}/complete`);
    const name = `Once over ${door}`;
    const steps = [task({ name }), { kind: 'operation', operation: 'startTask', input: { taskId } }];
    const runId = await run(await manual(steps));
    const workflowId = (await runOf(runId)).workflowId as string;
    const failed = await runWhen(api, workflowId, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'TASK_NOT_PENDING']);
    expect((await ask('cancelWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_RUN_ENDED');
    await api.post(`/tasks/${taskId}/reopen`);
    await api.post(`/tasks/${taskId}/cancel`);
    expect((await ask('retryWorkflowRun', { runId })).body.data).toMatchObject({ status: 'queued', error: null });
    const again = await runWhen(api, workflowId, hasEnded);
    expect([again.status, again.steps[1].attempts]).toEqual(['failed', 1]);
    expect(again.error.message).not.toBe(failed.error.message);
    expect(await tasksNamed(name)).toHaveLength(1);
  });

  it('a failed run of an archived workflow does not change', async () => {
    const taskId = await taskOf(api);
    const workflowId = await manual([{ kind: 'operation', operation: 'reopenTask', input: { taskId } }]);
    const runId = await run(workflowId);
    await runWhen(api, workflowId, hasEnded);
    await api.post(`/workflows/${workflowId}/archive`);
    await api.post(`/tasks/${taskId}/complete`);
    expect((await ask('retryWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_ARCHIVED');
    expect((await runOf(runId)).status).toBe('failed');
  });

  it('a waiting run is cancelled, and does not count as failed', async () => {
    const name = `Never over ${door}`;
    const workflowId = await manual([wait(10), task({ name })]);
    const runId = await run(workflowId);
    await runWhen(api, workflowId, isWaiting);
    const due = { orgId: (await api.get('/me')).body.data.organization.id as string, id: runId };
    expect(await service.app.get(RunsRepository).claims.take(due)).toBeUndefined();
    expect((await ask('retryWorkflowRun', { runId })).body.error.code).toBe('WORKFLOW_RUN_NOT_FAILED');
    expect((await ask('cancelWorkflowRun', { runId })).body.data.status).toBe('cancelled');
    clock.advance(11 * 60_000);
    await performDue(service.app.get(RunWorker));
    expect(await tasksNamed(name)).toEqual([]);
    expect((await runOf(runId)).status).toBe('cancelled');
  });
});

it.each(doorNames)('shows a limited key only the runs about its property, over %s', async (door) => {
  const [here, elsewhere] = [await stayIn(30), await stayIn(30)];
  const ofStays = await manual([wait(10)], { reservation: true });
  const seen = await run(ofStays, { reservationId: here.id });
  const hidden = [await run(ofStays, { reservationId: elsewhere.id }), await run(await manual([wait(10)]))];
  const limited = doors(service)[door].as((await keyWith(api, { propertyIds: [here.propertyId] })).key);
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
  const stay = await stayIn(30, { channel: 'direct' });
  const workflowId = await manual([branch('direct', 'One'), branch('airbnb', 'Two')], { reservation: true });
  expect((await api.post(`/workflows/${workflowId}/run`)).status).toBe(400);
  await run(workflowId, { reservationId: stay.id });
  expect(await runWhen(api, workflowId, hasEnded)).toMatchObject(ended);
  const made = await Promise.all(['One: yes', 'One: no', 'Two: yes', 'Two: no'].map(tasksNamed));
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
    const key = await keyWith(api, { scopes: able });
    const { api: writer } = key;
    const saved = await writer.post('/workflows', {
      name: 'Withdrawn',
      trigger: { kind: 'manual' },
      steps: [task({ name: 'Allowed' }), wait(60), last],
    });
    const workflowId = saved.body.data.id as string;
    await api.post(`/workflows/${workflowId}/activate`);
    await run(workflowId);
    await runWhen(api, workflowId, isWaiting);
    expect((await api.post(await withdrawal(key))).status).toBe(200);
    clock.advance(61 * 60_000);
    const failed = await runWhen(api, workflowId, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'FORBIDDEN']);
    expect(failed.steps.map(({ status }: Json) => status as string)).toEqual(['succeeded', 'succeeded', 'failed']);
    expect(await tasksNamed('Forbidden')).toEqual([]);
  });
});

describe.each(doorNames)('an event that the member may no longer read, over %s', (name) => {
  it('fails the next step, and is hidden from callers who may not read it', async () => {
    const permissions = ['events:read', 'guests:read', 'tasks:write'];
    const role = (await api.post('/roles', { name: `Reader over ${name}`, permissions })).body.data;
    const { id: runAsMemberId } = await addPerson(service, { role: role.name });
    const workflowId = await activeWorkflowOf(api, {
      trigger: { kind: 'event', eventType: 'guest.created' },
      runAsMemberId,
      steps: [wait(60), task({ name: 'Forbidden: {{event.data.id}}' })],
    });
    const guest = (await api.post('/guests', { name: 'Ann' })).body.data;
    const { id: runId } = await runWhen(api, workflowId, isWaiting);
    const shownTo = async (scopes: string[]): Promise<Json> => {
      const { key: reader } = await keyWith(api, { scopes });
      const door = doors(service)[name].as(reader);
      const listed = await door.ask('listWorkflowRuns', { workflowId });
      const { data } = (await door.ask('getWorkflowRun', { runId })).body;
      expect(listed.body.data).toEqual([data]);
      return data;
    };
    expect((await shownTo(['workflows:read', 'guests:read'])).trigger.event.data.id).toBe(guest.id);
    const { event } = (await shownTo(['workflows:read'])).trigger;
    expect([event.type, event.data]).toEqual(['guest.created', undefined]);
    await api.patch(`/roles/${role.id}`, { permissions: ['events:read', 'tasks:write'] });
    clock.advance(61 * 60_000);
    const failed = await runWhen(api, workflowId, hasEnded);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
    expect(failed.error.message).toContain('guests:read');
    expect(await tasksNamed(`Forbidden: ${guest.id}`)).toEqual([]);
  });
});

it('finds no stay that its member may not see', async () => {
  const theirs = await propertyOf(api, 'Theirs');
  const { id: runAsMemberId } = await addPerson(service, { role: 'owner', propertyIds: [theirs] });
  const steps = [{ kind: 'wait', until: 'arrival' }];
  const workflowId = await activeWorkflowOf(api, {
    trigger: { kind: 'manual', reservation: true },
    steps,
    runAsMemberId,
  });
  await run(workflowId, { reservationId: (await stayIn(30)).id });
  expect((await runWhen(api, workflowId, hasEnded)).error.code).toBe('NOT_FOUND');
});

it('is only for events after its activation', async () => {
  const booked = { trigger: { kind: 'event', eventType: 'reservation.created' }, steps: [wait(1)] };
  const active = await activeWorkflowOf(api, booked);
  clock.advance(60_000);
  const later = await activeWorkflowOf(api, booked);
  clock.restore();
  await stayIn(40);
  await runWhen(api, active, isWaiting);
  expect(await runsOf(api, later)).toEqual([]);
  for (const id of [active, later]) await api.post(`/workflows/${id}/archive`);
});

describe('the loop guard', () => {
  const onTask = (eventType: string, name: string, step: object): Promise<string> =>
    activeWorkflowOf(api, {
      trigger: { kind: 'event', eventType },
      conditions: { match: 'all', rules: [{ field: 'event.data.name', operator: 'equals', value: name }] },
      steps: [step],
    });

  it('never runs a workflow because of its own effects, directly or through another', async () => {
    const first = await onTask('task.created', 'Ring', {
      kind: 'operation',
      operation: 'updateTask',
      input: { taskId: '{{event.subject.id}}', priority: 'high' },
    });
    const second = await onTask('task.updated', 'Ring', task({ name: 'Ring' }));
    const ring = await taskOf(api, { name: 'Ring' });
    await runWhen(api, second, hasEnded);
    expect(await tasksNamed('Ring')).toHaveLength(2);
    // Events are processed in order: once this one's run exists, all earlier ones have been processed.
    const after = await taskOf(api, { name: 'Ring' });
    const had = async (): Promise<string[]> =>
      (await runsOf(api, first)).map(({ trigger }) => trigger.event.subject.id as string).sort();
    expect(await until(had, (subjects) => subjects.includes(after))).toEqual([ring, after].sort());
    for (const id of [first, second]) await api.post(`/workflows/${id}/archive`);
  });

  it('pauses a workflow that loops outside the service', async () => {
    const id = await onTask('task.updated', 'Away', wait(1_000));
    const taskId = await taskOf(api, { name: 'Away' });
    for (let count = 0; count < 22; count += 1) await api.patch(`/tasks/${taskId}`, { description: `${count}` });
    const paused = await until(
      async () => (await api.get(`/workflows/${id}`)).body.data,
      ({ status }) => status === 'paused',
    );
    expect(paused.pausedReason).toContain('20 times');
    expect(await runsOf(api, id)).toHaveLength(20);
    expect((await api.post(`/workflows/${id}/activate`)).body.data).toMatchObject({
      status: 'active',
      pausedReason: null,
    });
    await api.post(`/workflows/${id}/archive`);
  });
});

describe('stays', () => {
  const due = () => performDue(service.app.get(StayTriggers));

  it('run a workflow once, at their current time, and not if they are cancelled', async () => {
    const [kept, later, off] = [await stayIn(3), await stayIn(3), await stayIn(3)];
    const id = await activeWorkflowOf(api, {
      trigger: { kind: 'reservation_relative', moment: 'arrival', offsetMinutes: -1_440 },
      steps: [task({ reservationId: '{{reservation.id}}' })],
    });
    await move(later.id, 10);
    await api.post(`/reservations/${off.id}/cancel`);
    const triggered = async (): Promise<string[]> =>
      (await runsOf(api, id)).map(({ reservationId }) => reservationId as string).sort();
    clock.set(Date.parse(kept.arrivalAt as string) - dayMs - 60_000);
    await due();
    expect(await triggered()).toEqual([]);
    clock.advance(120_000);
    await due();
    await due();
    expect(await triggered()).toEqual([kept.id]);
    clock.advance(7 * dayMs);
    await due();
    expect(await triggered()).toEqual([kept.id, later.id].sort());
    await api.post(`/workflows/${id}/archive`);
  });

  it('that do not meet the conditions are recorded as skipped, and not checked again', async () => {
    const stay = await stayIn(3);
    const id = await activeWorkflowOf(api, {
      trigger: { kind: 'reservation_relative', moment: 'departure', offsetMinutes: 0 },
      conditions: { match: 'all', rules: [{ field: 'reservation.id', operator: 'not', value: stay.id }] },
      steps: [wait(1)],
    });
    clock.set(Date.parse(stay.departureAt as string) + 60_000);
    await due();
    expect((await runsOf(api, id)).map(({ status, reservationId }) => [status, reservationId])).toContainEqual([
      'skipped',
      stay.id,
    ]);
    expect(await service.app.get(StayTriggers).due(new Date().toISOString())).toEqual([]);
    await api.post(`/workflows/${id}/archive`);
  });

  it('are followed by the runs that wait for them, which end with them', async () => {
    const stay = await stayIn(20);
    const id = await manual([{ kind: 'wait', until: 'arrival', offsetMinutes: -60 }, task({ name: 'Arrived' })], {
      reservation: true,
    });
    await run(id, { reservationId: stay.id });
    const waiting = await runWhen(api, id, isWaiting);
    const hourBefore = (arrivalAt: string): string => new Date(Date.parse(arrivalAt) - 3_600_000).toISOString();
    expect(waiting.dueAt).toBe(hourBefore(stay.arrivalAt as string));
    const sooner = (await move(stay.id as string, 5)).body.data;
    expect((await runOf(waiting.id as string)).dueAt).toBe(hourBefore(sooner.arrivalAt as string));
    clock.set(Date.parse(hourBefore(sooner.arrivalAt as string)) + 1_000);
    expect(await runWhen(api, id, hasEnded)).toMatchObject(ended);
    clock.restore();
    const other = await stayIn(20);
    const second = await manual([{ kind: 'wait', until: 'departure' }], { reservation: true });
    await run(second, { reservationId: other.id });
    await runWhen(api, second, isWaiting);
    await api.post(`/reservations/${other.id}/cancel`);
    expect((await runsOf(api, second))[0].status).toBe('cancelled');
  });
});

it('waits a year after the last possible stay', async () => {
  const propertyId = await propertyOf(api, 'Late');
  await api.patch(`/properties/${propertyId}`, { timezone: 'America/Los_Angeles', checkOutTime: '23:00' });
  const stay = await stayOf(api, { propertyId, checkInDate: '9000-12-30', checkOutDate: '9000-12-31' });
  const id = await manual([{ kind: 'wait', until: 'departure', offsetMinutes: 525_600 }], { reservation: true });
  await run(id, { reservationId: stay.id });
  expect((await runWhen(api, id, isWaiting)).dueAt).toBe('9002-01-01T07:00:00.000Z');
});

it('runs on a schedule, once for each time, also late', async () => {
  const id = await activeWorkflowOf(api, {
    trigger: { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
    steps: [task({ name: 'Daily for {{schedule.date}}' })],
  });
  const next = async (): Promise<string> => (await api.get(`/workflows/${id}`)).body.data.nextOccurrenceAt as string;
  const first = await next();
  const local = new Date(first).toLocaleTimeString('en-GB', { timeZone: 'Europe/Lisbon' });
  expect([local, Date.parse(first) > Date.now()]).toEqual(['09:00:00', true]);
  clock.set(Date.parse(first) + 3 * dayMs + 1_000);
  const triggers = service.app.get(ScheduleTriggers);
  const jobs = await triggers.due(new Date().toISOString());
  await Promise.all([...jobs, ...jobs].map((job) => triggers.perform(job)));
  expect(await runWhen(api, id, hasEnded)).toMatchObject(ended);
  expect(await runsOf(api, id)).toHaveLength(1);
  expect(await tasksNamed(`Daily for ${first.slice(0, 10)}`)).toHaveLength(1);
  expect(Date.parse(await next()) - Date.parse(first)).toBe(4 * dayMs);
  await api.post(`/workflows/${id}/archive`);
});

it('does no due work while its organization is closed, and continues when it is open again', async () => {
  const name = 'Not while it is closed';
  const id = await activeWorkflowOf(api, {
    trigger: { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
    steps: [task({ name })],
  });
  const next = async (): Promise<number> =>
    Date.parse((await api.get(`/workflows/${id}`)).body.data.nextOccurrenceAt as string);
  const triggers = service.app.get(ScheduleTriggers);
  const triggerAt = async (moment: number): Promise<void> => {
    clock.set(moment + 1_000);
    for (const job of await triggers.due(new Date().toISOString())) await triggers.perform(job);
  };
  const [closings, orgId] = [service.app.get(Closings), (await api.get('/organization')).body.data.id as string];
  const act = { action: 'test', actor: { type: 'service' } as const };
  const due = await next();
  await closings.close(orgId, act);
  await triggerAt(due);
  await until(
    () =>
      service.app
        .get(SystemDatabase)
        .rows('select finished_at from workflow_runs where workflow_id = $1', [uuidIn(id)]),
    ([run]) => run === undefined || run.finished_at !== null,
  );
  await closings.reopen(orgId, act);
  expect(await tasksNamed(name)).toEqual([]);
  const before = (await runsOf(api, id)).length;
  await triggerAt(await next());
  await until(
    () => runsOf(api, id),
    (runs) => runs.length > before && runs.every(hasEnded),
  );
  expect(await tasksNamed(name)).toHaveLength(1);
  await api.post(`/workflows/${id}/archive`);
});

it('sends signed webhooks, retries failures, and keeps one id for each', async () => {
  const id = await manual([{ kind: 'webhook', url: receiver.url, payload: { run: '{{run.id}}' } }]);
  receiver.answer = (_, response) => response.writeHead(receiver.received.length > 1 ? 204 : 500).end();
  const runId = await run(id);
  const failing = await runWhen(api, id, isWaiting);
  expect(failing.steps).toMatchObject([{ status: 'waiting', attempts: 1, error: { code: 'CONNECTOR_ERROR' } }]);
  clock.advance(6_000);
  expect(await runWhen(api, id, hasEnded)).toMatchObject(ended);
  const { secret } = (await api.post(`/workflows/${id}/secret/reveal`)).body.data;
  const [first, second] = receiver.received;
  clock.restore();
  const verified = new Webhook(secret as string).verify(first?.text ?? '', first?.headers as Record<string, string>);
  expect(verified).toMatchObject({ data: { workflowId: id, runId, stepId: 'step_1', payload: { run: runId } } });
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
});

it('retries an unreachable address, and never calls an internal one', async () => {
  const send = (url: string) =>
    service.app.get(WebhookSteps).send({ orgId: 'org_1', workflowId: 'workflow_1', id: 'x', url, data: {} });
  const failed = { outcome: 'failed', error: { code: 'CONNECTOR_ERROR' } };
  expect(await send('http://127.0.0.1:9/')).toMatchObject({ ...failed, isPassing: true });
  expect(await send('http://10.0.0.1/')).toMatchObject({ ...failed, isPassing: false });
});

it('controls devices, and reports what their provider rejects', async () => {
  const simulator = await simulatorOf(api);
  const deviceId = simulator.devices['sim-lock-1'];
  const lock = (): Promise<string> => manual([{ kind: 'operation', operation: 'lockDevice', input: { deviceId } }]);
  const [well, ill] = [await lock(), await lock()];
  await run(well);
  expect(await runWhen(api, well, hasEnded)).toMatchObject(ended);
  await simulator.behave('refuse');
  await run(ill);
  const { error, steps } = await runWhen(api, ill, ({ steps: [step] }) => step?.error !== undefined);
  expect([steps[0].error.code, error]).toEqual(['CONNECTOR_ERROR', null]);
  clock.advance(6_000);
  const failed = await runWhen(api, ill, hasEnded);
  // The error is kept under the step's key: the device was asked once.
  expect([failed.status, failed.error.code]).toEqual(['failed', 'CONNECTOR_ERROR']);
  expect((await simulator.counts()).contacts).toBe(2);
});

describe('a command that is still in progress after its response', () => {
  /** Started by a run that continues with a task, and moved to the time when the run waits for it. */
  const begun = async (name: string) => {
    const simulator = await simulatorOf(api);
    await simulator.behave('slow');
    const deviceId = simulator.devices['sim-lock-1'];
    const id = await manual([{ kind: 'operation', operation: 'unlockDevice', input: { deviceId } }, task({ name })]);
    await run(id);
    await until(simulator.counts, ({ contacts }) => contacts === 1);
    clock.advance(10_000);
    const waiting = await runWhen(api, id, isWaiting);
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
        return (await api.get(`/device-commands/${commandId}`)).body.data as Json;
      },
      ({ settledAt }) => settledAt !== null,
    );
    await feedSettled(service);
    clock.advance(5_000);
    return command;
  };

  it('is awaited, and the next step runs once it has taken effect', async () => {
    const name = 'Behind an open door';
    const { id, simulator, commandId } = await begun(name);
    // Checked once more before it ends, it is still in progress.
    clock.advance(2_000);
    await performDue(service.app.get(RunWorker));
    expect((await runWhen(api, id, isWaiting)).steps).toHaveLength(1);
    expect(await tasksNamed(name)).toEqual([]);
    expect((await settled(commandId)).status).toBe('succeeded');
    const { steps, ...done } = await runWhen(api, id, hasEnded);
    expect(done).toMatchObject(ended);
    expect(steps[0]).toMatchObject({ status: 'succeeded', attempts: 1, result: { id: commandId } });
    expect(steps[0]).not.toHaveProperty('dueAt');
    expect(await tasksNamed(name)).toHaveLength(1);
    expect(await simulator.counts()).toEqual({ contacts: 1, effects: 1 });
  });

  it('fails its step if its effect is unknown, and is replaced by a new one on retry', async () => {
    const name = 'Behind a door of which nobody knows';
    const { id, simulator, commandId } = await begun(name);
    const inquiry = jest.spyOn(service.app.get(DeviceSimulator), 'inquire').mockResolvedValue({ outcome: 'unknown' });
    expect((await settled(commandId)).status).toBe('unknown');
    inquiry.mockRestore();
    const failed = await runWhen(api, id, hasEnded);
    expect([failed.status, failed.error.code]).toEqual(['failed', 'CONNECTOR_ERROR']);
    expect(failed.steps).toMatchObject([{ status: 'failed', attempts: 1, error: failed.error }]);
    expect(failed.steps[0]).not.toHaveProperty('dueAt');
    expect(await tasksNamed(name)).toEqual([]);
    await simulator.behave('ok');
    await api.post(`/workflow-runs/${failed.id}/retry`);
    expect(await runWhen(api, id, hasEnded)).toMatchObject(ended);
    expect((await simulator.counts()).contacts).toBe(2);
  });
});
