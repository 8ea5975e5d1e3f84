import pg from 'pg';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, taskOf } from '../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

/** With SQL, so that a test of completion depends on no other operation. */
async function putInto(id: string, status: string): Promise<void> {
  const database = new pg.Client({ connectionString: tenant.service.database.url });
  await database.connect();
  await database.query('update tasks set status = $2 where id = $1', [id.replace('task_', ''), status]);
  await database.end();
}

describe.each(doorNames)('completeTask over %s', (door) => {
  const complete = (taskId: string, key = tenant.key) => tenant.doors[door].as(key).ask('completeTask', { taskId });

  it('completes a pending task, and records when', async () => {
    const id = await taskOf(tenant.api);
    clock.set('2030-05-05T12:00:00Z');
    const { status, body } = await complete(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      status: 'completed',
      completedAt: '2030-05-05T12:00:00.000Z',
      updatedAt: '2030-05-05T12:00:00.000Z',
      version: 2,
    });
  });

  it('completes a started one', async () => {
    const id = await taskOf(tenant.api);
    await putInto(id, 'in_progress');
    expect((await complete(id)).body.data.status).toBe('completed');
  });

  it.each(['completed', 'cancelled'])('rejects one that is %s', async (before) => {
    const id = await taskOf(tenant.api);
    await putInto(id, before);
    const { status, body } = await complete(id);
    expect([status, body.error.type, body.error.code]).toEqual([409, 'conflict_error', 'TASK_NOT_OPEN']);
    expect(body.error.message).toContain(before);
  });

  it('rejects while required items are open, and names them', async () => {
    const id = await taskOf(tenant.api, {
      checklist: [
        { title: 'Beds', required: true },
        { title: 'Plants' },
        { title: 'Keys', required: true, done: true },
      ],
    });
    const { status, body } = await complete(id);
    expect([status, body.error.code]).toEqual([409, 'CHECKLIST_INCOMPLETE']);
    expect(body.error.details.openItems).toEqual([{ id: expect.stringMatching(/^item_/), title: 'Beds' }]);
    const { checklist } = (await tenant.api.get(`/tasks/${id}`)).body.data;
    const done = checklist.map((item: object) => ({ ...item, done: true }));
    await tenant.api.patch(`/tasks/${id}`, { checklist: done });
    expect((await complete(id)).status).toBe(200);
  });

  it('requires the scope, and the property', async () => {
    const [id, elsewhere] = [await taskOf(tenant.api), await taskOf(tenant.api, { propertyId: tenant.elsewhere })];
    expect((await complete(id, tenant.reader.key)).status).toBe(403);
    expect((await complete(elsewhere, tenant.limited.key)).status).toBe(404);
    expect((await tenant.api.get(`/tasks/${elsewhere}`)).body.data.status).toBe('pending');
  });
});

describe('over REST', () => {
  it('rejects a stale If-Match and does not change the task', async () => {
    const id = await taskOf(tenant.api);
    const stale = await tenant.api.post(`/tasks/${id}/complete`, undefined, { 'if-match': '"2"' });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_MISMATCH']);
    expect((await tenant.api.post(`/tasks/${id}/complete`, undefined, { 'if-match': '"1"' })).status).toBe(200);
  });

  it('accepts an empty body, an empty object, and nothing else', async () => {
    expect((await tenant.api.post(`/tasks/${await taskOf(tenant.api)}/complete`, {})).status).toBe(200);
    expect((await tenant.api.post(`/tasks/${await taskOf(tenant.api)}/complete`, { done: true })).status).toBe(400);
  });

  it('returns the same bytes for another organization’s task as for an absent one', async () => {
    const foreign = await taskOf(tenant.stranger);
    const [one, other] = await Promise.all(
      [foreign, absentId('task')].map((id) => tenant.api.post(`/tasks/${id}/complete`)),
    );
    expect(one?.status).toBe(404);
    expect(butForRequestId(one!)).toEqual(butForRequestId(other!));
    expect((await tenant.stranger.get(`/tasks/${foreign}`)).body.data.status).toBe('pending');
  });

  it('completes once for many parallel requests', async () => {
    const id = await taskOf(tenant.api);
    const replies = await Promise.all(Array.from({ length: 8 }, () => tenant.api.post(`/tasks/${id}/complete`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});
