import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { memberOf } from '../../support/behind-the-api.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { propertyOf, unitOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { RecurrencesService } from '../../../src/features/tasks/recurrence/recurrences.service.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const runDue = () => performDue(tenant.service.app.get(RecurrencesService));

/** A daily task at nine, first on 2 June 2030, at a property of its own. */
async function series(wishes: object = {}): Promise<{ first: Json; all: () => Promise<Json[]> }> {
  clock.set('2030-06-01T12:00:00Z');
  const propertyId = await propertyOf(tenant.api);
  const times = { canStartAt: '2030-06-02T08:00:00Z', dueAt: '2030-06-02T10:00:00Z' };
  const given = { name: 'Air', propertyId, recurrence: 'FREQ=DAILY', ...times, ...wishes };
  const { body } = await tenant.api.post('/tasks', given);
  if (body.error) throw new Error(JSON.stringify(body.error));
  return {
    first: body.data,
    all: async () => (await tenant.api.get(`/tasks?propertyId=${propertyId}&sort=createdAt`)).body.data,
  };
}

const daysOf = (tasks: Json[]): string[] => tasks.map(({ canStartAt }) => canStartAt.slice(5, 10));

describe('a series', () => {
  it('continues with one task that carries the rule', async () => {
    const { all } = await series({ checklist: [{ title: 'Windows', done: true }], priority: 'low' });
    for (const day of ['02', '03', '04']) {
      clock.set(`2030-06-${day}T08:00:00Z`);
      await runDue();
    }
    const tasks = await all();
    expect(daysOf(tasks)).toEqual(['06-02', '06-03', '06-04', '06-05']);
    expect(tasks.map(({ recurrence }) => recurrence)).toEqual([null, null, null, 'FREQ=DAILY']);
    expect(tasks.at(-1)).toMatchObject({ priority: 'low', source: 'automatic', status: 'pending', completedAt: null });
    expect(tasks.at(-1)?.checklist).toMatchObject([{ title: 'Windows', done: false }]);
  });

  it('is not started a second time by changing an earlier task', async () => {
    const { first, all } = await series();
    clock.set('2030-06-02T08:00:00Z');
    await runDue();
    await tenant.api.patch(`/tasks/${first.id}`, { dueAt: '2030-06-02T18:00:00Z' });
    clock.set('2030-06-03T09:00:00Z');
    await runDue();
    expect(daysOf(await all())).toEqual(['06-02', '06-03', '06-04']);
  });

  it('moves with its next task', async () => {
    const { first, all } = await series();
    await tenant.api.patch(`/tasks/${first.id}`, { canStartAt: '2030-06-05T07:00:00Z', dueAt: '2030-06-05T08:00:00Z' });
    clock.set('2030-06-05T07:00:00Z');
    await runDue();
    expect((await all()).map(({ canStartAt }) => canStartAt)).toEqual([
      '2030-06-05T07:00:00.000Z',
      '2030-06-06T07:00:00.000Z',
    ]);
  });

  it('ends with its rule', async () => {
    const { first, all } = await series();
    expect((await tenant.api.patch(`/tasks/${first.id}`, { recurrence: null })).body.data.recurrence).toBeNull();
    clock.set('2030-06-09T08:00:00Z');
    await runDue();
    expect(await all()).toHaveLength(1);
  });

  const ends = ['FREQ=DAILY;COUNT=2', 'FREQ=DAILY;UNTIL=20300603T235959Z', 'FREQ=DAILY;UNTIL=20300603T080000Z'];
  it.each(ends)('ends with the rule %s', async (recurrence) => {
    const { all } = await series({ recurrence });
    for (const day of ['02', '03', '04']) {
      clock.set(`2030-06-${day}T08:00:01Z`);
      await runDue();
    }
    expect(daysOf(await all())).toEqual(['06-02', '06-03']);
  });

  it('skips the occurrences while no process ran', async () => {
    const { all } = await series();
    clock.set('2030-06-20T12:00:00Z');
    await runDue();
    expect(daysOf(await all())).toEqual(['06-02', '06-21']);
  });

  it('ends if its rule cannot be followed any more, and does not stop others', async () => {
    const { first, all } = await series();
    await tenant.service.app
      .get(SystemDatabase)
      .rows('update tasks set recurrence = $2 where id = $1', [uuidIn(first.id), 'FREQ=DAILY;INTERVAL=-1']);
    const other = await series();
    clock.set('2030-06-02T08:00:00Z');
    await runDue();
    expect((await all()).map(({ id, recurrence }) => [id, recurrence])).toEqual([[first.id, null]]);
    expect(daysOf(await other.all())).toEqual(['06-02', '06-03']);
    await feedSettled(tenant.service);
    const { body } = await tenant.api.get(`/events?subject=${first.id}`);
    expect(body.data.at(-1)).toMatchObject({ type: 'task.updated', data: { recurrence: null } });
  });

  it('keeps its place from being archived', async () => {
    const { first } = await series();
    const { propertyId } = first;
    const unitId = await unitOf(tenant.api, propertyId);
    const unit = `/properties/${propertyId}/units/${unitId}`;
    await tenant.api.patch(`/tasks/${first.id}`, { unitId });
    const refusal = async (path: string) => {
      const { status, body } = await tenant.api.post(`${path}/archive`);
      return [status, body.error.code, body.error.details];
    };
    expect(await refusal(unit)).toEqual([409, 'UNIT_HAS_RECURRING_TASKS', { taskIds: [first.id] }]);
    expect(await refusal(`/properties/${propertyId}`)).toEqual([
      409,
      'PROPERTY_HAS_RECURRING_TASKS',
      { taskIds: [first.id] },
    ]);
    await tenant.api.patch(`/tasks/${first.id}`, { unitId: null });
    expect((await tenant.api.post(`${unit}/archive`)).status).toBe(200);
    await tenant.api.patch(`/tasks/${first.id}`, { recurrence: null });
    expect((await tenant.api.post(`/properties/${propertyId}/archive`)).status).toBe(200);
  });

  it.each(['property', 'unit'])('ends if its %s was archived while it was paused', async (archived) => {
    const { first, all } = await series();
    const { propertyId } = first;
    const unitId = await unitOf(tenant.api, propertyId);
    await tenant.api.patch(`/tasks/${first.id}`, { unitId });
    await tenant.api.post(`/tasks/${first.id}/archive`);
    const place = `/properties/${propertyId}`;
    expect((await tenant.api.post(`${archived === 'unit' ? `${place}/units/${unitId}` : place}/archive`)).status).toBe(
      200,
    );
    await tenant.api.post(`/tasks/${first.id}/restore`);
    clock.set('2030-06-02T08:00:00Z');
    await runDue();
    expect((await all()).map(({ id, recurrence }) => [id, recurrence])).toEqual([[first.id, null]]);
  });

  it('continues without assignees who left, or cannot see its property any more', async () => {
    const [stays, limited, leaves] = [
      await memberOf(tenant.service),
      await memberOf(tenant.service),
      await memberOf(tenant.service),
    ];
    const { all } = await series({ assigneeIds: [leaves, stays, limited] });
    await tenant.service.app
      .get(SystemDatabase)
      .rows('update members set property_ids = $2 where id = $1', [uuidIn(limited), [uuidIn(tenant.here)]]);
    expect((await tenant.api.post(`/members/${leaves}/suspend`)).status).toBe(200);
    clock.set('2030-06-02T08:00:00Z');
    await runDue();
    expect((await all()).map(({ assigneeIds }) => assigneeIds)).toEqual([[leaves, stays, limited], [stays]]);
  });

  it('pauses while its task is archived, and continues when it is restored', async () => {
    const { first, all } = await series();
    await tenant.api.post(`/tasks/${first.id}/archive`);
    clock.set('2030-06-02T09:00:00Z');
    await runDue();
    expect(await all()).toHaveLength(0);
    await tenant.api.post(`/tasks/${first.id}/restore`);
    await runDue();
    expect(daysOf(await all())).toEqual(['06-02', '06-03']);
  });
});

describe('a rule', () => {
  it.each(['FREQ=DAILY;BYHOUR=9,17', 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;INTERVAL=-1'])(
    'cannot be %s',
    async (recurrence) => {
      const { status, body } = await tenant.api.post('/tasks', {
        name: 'x',
        dueAt: '2030-01-01T00:00:00Z',
        recurrence,
      });
      expect([status, body.error.details.key]).toEqual([400, 'TASK_RECURRENCE_UNREADABLE']);
    },
  );

  it('uses the time zone of the property, or of the organization', async () => {
    const halfPastEight = 'FREQ=DAILY;UNTIL=20300602T083000';
    await expect(series({ recurrence: halfPastEight })).rejects.toThrow('TASK_RECURRENCE_UNREADABLE');
    const { first } = await series({ recurrence: halfPastEight, propertyId: null });
    expect(first.recurrence).toBe(halfPastEight);
  });

  it('requires a time, which must not be more than a year ago', async () => {
    clock.set('2030-06-01T12:00:00Z');
    const key = async (input: object) =>
      (await tenant.api.post('/tasks', { name: 'x', recurrence: 'FREQ=DAILY', ...input })).body.error?.details.key;
    expect(await key({})).toBe('TASK_RECURRENCE_WITHOUT_TIME');
    expect(await key({ dueAt: '0001-01-01T00:00:00Z' })).toBe('TASK_RECURRENCE_TOO_OLD');
    expect(await key({ dueAt: '2029-05-31T11:59:59Z' })).toBe('TASK_RECURRENCE_TOO_OLD');
    expect(await key({ dueAt: '2029-05-31T12:00:00Z' })).toBeUndefined();
  });
});
