import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { ScheduleTriggers } from '../../../src/features/workflows/triggers/schedule-triggers.service.js';
import { StayTriggers } from '../../../src/features/workflows/triggers/stay-triggers.service.js';
import { Closings } from '../../../src/tenancy/closing/closings.service.js';
import { clock } from '../../support/clock.js';
import { propertyOf, stayOf, taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { activeWorkflowOf, hasEnded, runsOf, runWhen } from '../../support/workflows.js';
import { dayMs, ended, isWaiting, RunWorld, task, wait } from './run-world.js';

let world: RunWorld;
beforeAll(async () => {
  world = await RunWorld.start();
});
afterEach(() => clock.restore());
afterAll(() => world.service.close());

it('is only for events after its activation', async () => {
  const booked = { trigger: { kind: 'event', eventType: 'reservation.created' }, steps: [wait(1)] };
  const active = await activeWorkflowOf(world.api, booked);
  clock.advance(60_000);
  const later = await activeWorkflowOf(world.api, booked);
  clock.restore();
  await world.stayIn(40);
  await runWhen(world.api, active, isWaiting);
  expect(await runsOf(world.api, later)).toEqual([]);
  for (const id of [active, later]) await world.api.post(`/workflows/${id}/archive`);
});

describe('the loop guard', () => {
  const onTask = (eventType: string, name: string, step: object): Promise<string> =>
    activeWorkflowOf(world.api, {
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
    const ring = await taskOf(world.api, { name: 'Ring' });
    await runWhen(world.api, second, hasEnded);
    expect(await world.tasksNamed('Ring')).toHaveLength(2);
    // Events are processed in order: once this one's run exists, all earlier ones have been processed.
    const after = await taskOf(world.api, { name: 'Ring' });
    const had = async (): Promise<string[]> =>
      (await runsOf(world.api, first)).map(({ trigger }) => trigger.event.subject.id as string).sort();
    expect(await until(had, (subjects) => subjects.includes(after))).toEqual([ring, after].sort());
    for (const id of [first, second]) await world.api.post(`/workflows/${id}/archive`);
  });

  it('pauses a workflow that loops outside the service', async () => {
    const id = await onTask('task.updated', 'Away', wait(1_000));
    const taskId = await taskOf(world.api, { name: 'Away' });
    for (let count = 0; count < 22; count += 1) await world.api.patch(`/tasks/${taskId}`, { description: `${count}` });
    const paused = await until(
      async () => (await world.api.get(`/workflows/${id}`)).body.data,
      ({ status }) => status === 'paused',
    );
    expect(paused.pausedReason).toContain('20 times');
    expect(await runsOf(world.api, id)).toHaveLength(20);
    expect((await world.api.post(`/workflows/${id}/activate`)).body.data).toMatchObject({
      status: 'active',
      pausedReason: null,
    });
    await world.api.post(`/workflows/${id}/archive`);
  });
});

describe('stays', () => {
  const due = () => performDue(world.service.app.get(StayTriggers));

  it('run a workflow once, at their current time, and not if they are cancelled', async () => {
    const [kept, later, off] = [await world.stayIn(3), await world.stayIn(3), await world.stayIn(3)];
    const id = await activeWorkflowOf(world.api, {
      trigger: { kind: 'reservation_relative', moment: 'arrival', offsetMinutes: -1_440 },
      steps: [task({ reservationId: '{{reservation.id}}' })],
    });
    await world.move(later.id, 10);
    await world.api.post(`/reservations/${off.id}/cancel`);
    const triggered = async (): Promise<string[]> =>
      (await runsOf(world.api, id)).map(({ reservationId }) => reservationId as string).sort();
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
    await world.api.post(`/workflows/${id}/archive`);
  });

  it('that do not meet the conditions are recorded as skipped, and not checked again', async () => {
    const stay = await world.stayIn(3);
    const id = await activeWorkflowOf(world.api, {
      trigger: { kind: 'reservation_relative', moment: 'departure', offsetMinutes: 0 },
      conditions: { match: 'all', rules: [{ field: 'reservation.id', operator: 'not', value: stay.id }] },
      steps: [wait(1)],
    });
    clock.set(Date.parse(stay.departureAt as string) + 60_000);
    await due();
    expect((await runsOf(world.api, id)).map(({ status, reservationId }) => [status, reservationId])).toContainEqual([
      'skipped',
      stay.id,
    ]);
    expect(await world.service.app.get(StayTriggers).due(new Date().toISOString())).toEqual([]);
    await world.api.post(`/workflows/${id}/archive`);
  });

  it('are followed by the runs that wait for them, which end with them', async () => {
    const stay = await world.stayIn(20);
    const id = await world.manual([{ kind: 'wait', until: 'arrival', offsetMinutes: -60 }, task({ name: 'Arrived' })], {
      reservation: true,
    });
    await world.run(id, { reservationId: stay.id });
    const waiting = await runWhen(world.api, id, isWaiting);
    const hourBefore = (arrivalAt: string): string => new Date(Date.parse(arrivalAt) - 3_600_000).toISOString();
    expect(waiting.dueAt).toBe(hourBefore(stay.arrivalAt as string));
    const sooner = (await world.move(stay.id as string, 5)).body.data;
    expect((await world.runOf(waiting.id as string)).dueAt).toBe(hourBefore(sooner.arrivalAt as string));
    clock.set(Date.parse(hourBefore(sooner.arrivalAt as string)) + 1_000);
    expect(await runWhen(world.api, id, hasEnded)).toMatchObject(ended);
    clock.restore();
    const other = await world.stayIn(20);
    const second = await world.manual([{ kind: 'wait', until: 'departure' }], { reservation: true });
    await world.run(second, { reservationId: other.id });
    await runWhen(world.api, second, isWaiting);
    await world.api.post(`/reservations/${other.id}/cancel`);
    expect((await runsOf(world.api, second))[0].status).toBe('cancelled');
  });
});

it('waits a year after the last possible stay', async () => {
  const propertyId = await propertyOf(world.api, 'Late');
  await world.api.patch(`/properties/${propertyId}`, { timezone: 'America/Los_Angeles', checkOutTime: '23:00' });
  const stay = await stayOf(world.api, { propertyId, checkInDate: '9000-12-30', checkOutDate: '9000-12-31' });
  const id = await world.manual([{ kind: 'wait', until: 'departure', offsetMinutes: 525_600 }], { reservation: true });
  await world.run(id, { reservationId: stay.id });
  expect((await runWhen(world.api, id, isWaiting)).dueAt).toBe('9002-01-01T07:00:00.000Z');
});

it('runs on a schedule, once for each time, also late', async () => {
  const id = await activeWorkflowOf(world.api, {
    trigger: { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
    steps: [task({ name: 'Daily for {{schedule.date}}' })],
  });
  const next = async (): Promise<string> =>
    (await world.api.get(`/workflows/${id}`)).body.data.nextOccurrenceAt as string;
  const first = await next();
  const local = new Date(first).toLocaleTimeString('en-GB', { timeZone: 'Europe/Lisbon' });
  expect([local, Date.parse(first) > Date.now()]).toEqual(['09:00:00', true]);
  clock.set(Date.parse(first) + 3 * dayMs + 1_000);
  const triggers = world.service.app.get(ScheduleTriggers);
  const jobs = await triggers.due(new Date().toISOString());
  await Promise.all([...jobs, ...jobs].map((job) => triggers.perform(job)));
  expect(await runWhen(world.api, id, hasEnded)).toMatchObject(ended);
  expect(await runsOf(world.api, id)).toHaveLength(1);
  expect(await world.tasksNamed(`Daily for ${first.slice(0, 10)}`)).toHaveLength(1);
  expect(Date.parse(await next()) - Date.parse(first)).toBe(4 * dayMs);
  await world.api.post(`/workflows/${id}/archive`);
});

it('does no due work while its organization is closed, and continues when it is open again', async () => {
  const name = 'Not while it is closed';
  const id = await activeWorkflowOf(world.api, {
    trigger: { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
    steps: [task({ name })],
  });
  const next = async (): Promise<number> =>
    Date.parse((await world.api.get(`/workflows/${id}`)).body.data.nextOccurrenceAt as string);
  const triggers = world.service.app.get(ScheduleTriggers);
  const triggerAt = async (moment: number): Promise<void> => {
    clock.set(moment + 1_000);
    for (const job of await triggers.due(new Date().toISOString())) await triggers.perform(job);
  };
  const [closings, orgId] = [
    world.service.app.get(Closings),
    (await world.api.get('/organization')).body.data.id as string,
  ];
  const act = { action: 'test', actor: { type: 'service' } as const };
  const due = await next();
  await closings.close(orgId, act);
  await triggerAt(due);
  await until(
    () =>
      world.service.app
        .get(SystemDatabase)
        .rows('select finished_at from workflow_runs where workflow_id = $1', [uuidIn(id)]),
    ([run]) => run === undefined || run.finished_at !== null,
  );
  await closings.reopen(orgId, act);
  expect(await world.tasksNamed(name)).toEqual([]);
  const before = (await runsOf(world.api, id)).length;
  await triggerAt(await next());
  await until(
    () => runsOf(world.api, id),
    (runs) => runs.length > before && runs.every(hasEnded),
  );
  expect(await world.tasksNamed(name)).toHaveLength(1);
  await world.api.post(`/workflows/${id}/archive`);
});
