import { jest } from '@jest/globals';
import { TenantDatabase } from '#persistence';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { memberOf } from '../../support/behind-the-api.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, taskOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { turnsGivenUp } from '../../support/turns.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());
afterEach(() => jest.restoreAllMocks());

const read = async (id: string) => (await tenant.api.get(`/tasks/${id}`)).body.data;
const outcomes = (body: Json): string[] => body.data.map(({ task, error }: Json) => error?.code ?? task.status);

describe.each(doorNames)('changeTasksInBulk over %s', (door) => {
  const change = (input: object, key = tenant.key) => tenant.doors[door].as(key).ask('changeTasksInBulk', input);

  it.each([
    ['start', 'in_progress', 'startedAt'],
    ['complete', 'completed', 'completedAt'],
    ['cancel', 'cancelled', 'cancelledAt'],
  ])('%s: returns the current state of each task', async (action, status, time) => {
    const ids = [await taskOf(tenant.api), await taskOf(tenant.api)];
    clock.set(Date.now());
    const { body } = await change({ taskIds: ids, action });
    expect(body.data.map(({ taskId }: Json) => taskId)).toEqual(ids);
    for (const { taskId, task } of body.data) {
      expect(task).toEqual(await read(taskId));
      expect(task).toMatchObject({ status, version: 2, [time]: task.updatedAt });
    }
  });

  it('yields the event loop between tasks, each time that it goes through all of them', async () => {
    const taskIds = await Promise.all(Array.from({ length: 20 }, () => taskOf(tenant.api)));
    const { result, turns } = await turnsGivenUp(() => change({ taskIds, action: 'start' }));
    expect(outcomes(result.body)).toEqual(taskIds.map(() => 'in_progress'));
    // They are read, changed, compared, told, noted in the trail, kept for an undo and written into the response.
    expect(turns).toBeGreaterThanOrEqual(7 * 20);
  });

  it('archives, and does not change archived tasks', async () => {
    const [archived, other] = [await taskOf(tenant.api), await taskOf(tenant.api)];
    await tenant.api.post(`/tasks/${archived}/archive`);
    const before = await read(archived);
    clock.set(Date.now());
    const { body } = await change({ taskIds: [archived, other], action: 'archive' });
    expect(body.data[0].task).toEqual(before);
    expect(body.data[1].task.archivedAt).toBe(body.data[1].task.updatedAt);
    expect(outcomes((await change({ taskIds: [other], action: 'cancel' })).body)).toEqual(['TASK_ARCHIVED']);
  });

  it('assigns members who can see the property, task by task', async () => {
    const member = await memberOf(tenant.service, { propertyIds: [tenant.here] });
    const [here, elsewhere] = [
      await taskOf(tenant.api, { propertyId: tenant.here }),
      await taskOf(tenant.api, { propertyId: tenant.elsewhere }),
    ];
    const { body } = await change({ taskIds: [elsewhere, here], action: 'assign', assigneeIds: [member] });
    expect(body.data[0].error.code).toBe('VALIDATION_ERROR');
    expect(body.data[1].task.assigneeIds).toEqual([member]);
    expect((await read(elsewhere)).assigneeIds).toEqual([]);
    const nobody = await change({ taskIds: [here], action: 'assign', assigneeIds: [] });
    expect(nobody.body.data[0].task.assigneeIds).toEqual([]);
    const unknown = await change({ taskIds: [here], action: 'assign', assigneeIds: [absentId('member')] });
    expect([unknown.status, unknown.body.error.details.key]).toEqual([400, 'TASK_ASSIGNEE_UNKNOWN']);
  });

  it('rejects one and does the others', async () => {
    const [open, cancelled, blocked] = [
      await taskOf(tenant.api),
      await taskOf(tenant.api),
      await taskOf(tenant.api, { checklist: [{ title: 'Keys', required: true }] }),
    ];
    await tenant.api.post(`/tasks/${cancelled}/cancel`);
    const { body } = await change({
      taskIds: [cancelled, 'nonsense', blocked, open, absentId('task')],
      action: 'complete',
    });
    expect(outcomes(body)).toEqual(['TASK_NOT_OPEN', 'NOT_FOUND', 'CHECKLIST_INCOMPLETE', 'completed', 'NOT_FOUND']);
    expect((await read(cancelled)).version).toBe(2);
  });

  it('limits a limited key to its properties', async () => {
    const elsewhere = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    const foreign = await taskOf(tenant.stranger);
    const { body } = await change({ taskIds: [elsewhere, foreign], action: 'cancel' }, tenant.limited.key);
    expect(outcomes(body)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    expect((await read(elsewhere)).status).toBe('pending');
  });

  it.each([
    ['taskIds', { taskIds: [], action: 'start' }],
    ['taskIds', { taskIds: Array.from({ length: 501 }, (_, n) => `task_${n}`), action: 'start' }],
    ['taskIds', { taskIds: ['a', 'a'], action: 'start' }],
    ['action', { taskIds: ['a'], action: 'reopen' }],
    ['assigneeIds', { taskIds: ['a'], action: 'assign' }],
    ['assigneeIds', { taskIds: ['a'], action: 'start', assigneeIds: [] }],
  ])('rejects bad %s', async (field, input) => {
    const reply = await change(input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });
});

describe('five hundred tasks', () => {
  it('are read in one statement and written in one', async () => {
    const ids: string[] = [];
    // Five hundred at the same time are more than an organization may have waiting.
    while (ids.length < 500) ids.push(...(await Promise.all(Array.from({ length: 25 }, () => taskOf(tenant.api)))));
    const reads = jest.spyOn(TenantDatabase.prototype, 'rows');
    const { status, body } = await tenant.api.post('/tasks/bulk', { taskIds: ids, action: 'start' });
    const statements = reads.mock.calls.filter(
      ([, text]) => text.includes('from tasks') && text.includes('for no key update'),
    );
    expect([status, statements.length]).toEqual([200, 1]);
    expect(new Set(outcomes(body))).toEqual(new Set(['in_progress']));
    expect(new Set(body.data.map(({ task }: Json) => task.updatedAt)).size).toBe(1);
  });
});

describe('two bulk changes of the same tasks in opposite orders', () => {
  it('wait for each other, and one of them wins each task', async () => {
    const ids = await Promise.all(Array.from({ length: 50 }, () => taskOf(tenant.api)));
    const [one, other] = await Promise.all([
      tenant.api.post('/tasks/bulk', { taskIds: ids, action: 'cancel' }),
      tenant.api.post('/tasks/bulk', { taskIds: [...ids].reverse(), action: 'complete' }),
    ]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const done = [...outcomes(one.body), ...outcomes(other.body)];
    expect(done.filter((outcome) => outcome === 'TASK_NOT_OPEN')).toHaveLength(50);
  });
});
