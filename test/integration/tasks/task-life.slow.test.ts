import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { memberOf } from '../../support/behind-the-api.js';
import { absentId, taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const read = async (id: string) => (await tenant.api.get(`/tasks/${id}`)).body.data;

/** How a task gets into each status. */
const ways = {
  pending: [],
  in_progress: ['startTask'],
  completed: ['completeTask'],
  cancelled: ['cancelTask'],
};
const moves = {
  startTask: { from: ['pending'], to: 'in_progress', refusal: 'TASK_NOT_PENDING', time: 'startedAt' },
  completeTask: { from: ['pending', 'in_progress'], to: 'completed', refusal: 'TASK_NOT_OPEN', time: 'completedAt' },
  cancelTask: { from: ['pending', 'in_progress'], to: 'cancelled', refusal: 'TASK_NOT_OPEN', time: 'cancelledAt' },
  reopenTask: { from: ['completed'], to: 'in_progress', refusal: 'TASK_NOT_COMPLETED', time: 'startedAt' },
};

/** A task that is reopened is no longer completed. */
const after = (status: string): object => (status === 'in_progress' ? { completedAt: null } : {});

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);
  const taskThat = async (status: keyof typeof ways): Promise<string> => {
    const taskId = await taskOf(tenant.api);
    for (const step of ways[status]) await ask(step, { taskId });
    return taskId;
  };

  describe.each(Object.entries(moves))('%s', (operation, { from, to, refusal, time }) => {
    it.each(Object.keys(ways) as (keyof typeof ways)[])('of a task that is %s', async (status) => {
      const taskId = await taskThat(status);
      const before = await read(taskId);
      clock.set('2031-05-05T12:00:00Z');
      const reply = await ask(operation, { taskId });
      clock.restore();
      const at = '2031-05-05T12:00:00.000Z';
      const moved = { ...before, ...after(to), [time]: at, status: to, version: before.version + 1, updatedAt: at };
      const isAllowed = from.includes(status);
      expect(reply.status).toBe(isAllowed ? 200 : 409);
      expect(reply.body.data ?? reply.body.error.code).toEqual(isAllowed ? moved : refusal);
      expect(await read(taskId)).toEqual(isAllowed ? moved : before);
    });

    it('is rejected for a task that is archived, hidden, another organization’s or without the scope', async () => {
      const archived = await taskOf(tenant.api);
      await ask('archiveTask', { taskId: archived });
      expect((await ask(operation, { taskId: archived })).body.error.code).toBe('TASK_ARCHIVED');
      const elsewhere = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
      expect((await ask(operation, { taskId: elsewhere }, tenant.limited.key)).status).toBe(404);
      expect((await ask(operation, { taskId: await taskOf(tenant.stranger) })).status).toBe(404);
      expect((await ask(operation, { taskId: absentId('task') })).status).toBe(404);
      expect((await ask(operation, { taskId: elsewhere }, tenant.reader.key)).status).toBe(403);
    });
  });

  it('reopenTask undoes the completion', async () => {
    const taskId = await taskThat('completed');
    expect((await ask('reopenTask', { taskId })).body.data.completedAt).toBeNull();
  });

  it('archiveTask removes a task from the lists and restoreTask restores it, each once', async () => {
    const type = door === 'rest' ? 'inventory' : 'inspection';
    const taskId = await taskOf(tenant.api, { type });
    const listed = async (filters: object) =>
      (await ask('listTasks', { type, ...filters })).body.data.map(({ id }: Json) => id);
    clock.set(Date.now());
    const { body } = await ask('archiveTask', { taskId });
    expect(body.data.archivedAt).toBe(body.data.updatedAt);
    expect((await ask('archiveTask', { taskId })).body.data).toEqual(body.data);
    expect([await listed({}), await listed({ archived: true })]).toEqual([[], [taskId]]);
    expect(await listed({ updatedSince: body.data.updatedAt })).toEqual([taskId]);
    const restored = await ask('restoreTask', { taskId });
    expect(restored.body.data).toMatchObject({ archivedAt: null, version: 3 });
    expect((await ask('restoreTask', { taskId })).body.data).toEqual(restored.body.data);
    expect([await listed({}), await listed({ archived: true })]).toEqual([[taskId], []]);
  });

  it('assignTask replaces the assignees, and only accepts active members who see the property', async () => {
    const [one, two, suspended, kept] = [
      await memberOf(tenant.service),
      await memberOf(tenant.service, { propertyIds: [tenant.here] }),
      await memberOf(tenant.service, { status: 'suspended' }),
      await memberOf(tenant.service, { propertyIds: [tenant.elsewhere] }),
    ];
    const taskId = await taskOf(tenant.api, { propertyId: tenant.here });
    const assign = (assigneeIds: string[]) => ask('assignTask', { taskId, assigneeIds });
    expect((await assign([one])).body.data.assigneeIds).toEqual([one]);
    expect((await assign([two, one])).body.data.assigneeIds).toEqual([two, one]);
    expect((await assign([suspended])).body.error.details.key).toBe('TASK_ASSIGNEE_UNKNOWN');
    expect((await assign([kept])).body.error.details.key).toBe('TASK_ASSIGNEE_CANNOT_SEE_PROPERTY');
    expect((await ask('listTasks', { assigneeId: two })).body.data.map(({ id }: Json) => id)).toEqual([taskId]);
    expect((await assign([])).body.data.assigneeIds).toEqual([]);
  });

  it('comments on an archived task are rejected', async () => {
    const taskId = await taskOf(tenant.api);
    await ask('archiveTask', { taskId });
    const { status, body } = await ask('commentOnTask', { taskId, text: 'Done?' });
    expect([status, body.error.code]).toEqual([409, 'TASK_ARCHIVED']);
    expect((await ask('listTaskComments', { taskId })).body.data).toEqual([]);
  });

  it('comments are listed newest first, page by page, with their authors', async () => {
    const taskId = await taskOf(tenant.api, { propertyId: tenant.here });
    const comments = [];
    for (const text of ['one', 'two', 'three'])
      comments.push((await ask('commentOnTask', { taskId, text }, tenant.limited.key)).body.data);
    const me = (await ask('getMe', {}, tenant.limited.key)).body.data;
    expect(comments[0]).toMatchObject({ taskId, text: 'one', memberId: me.member.id });
    const first = (await ask('listTaskComments', { taskId, limit: 2 })).body;
    const rest = (await ask('listTaskComments', { taskId, limit: 2, cursor: first.meta.pagination.nextCursor })).body;
    expect([...first.data, ...rest.data]).toEqual([...comments].reverse());
    expect(rest.meta.pagination.nextCursor).toBeNull();
    const elsewhere = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    for (const operation of ['commentOnTask', 'listTaskComments']) {
      const input = { taskId: elsewhere, ...(operation === 'commentOnTask' && { text: 'x' }) };
      expect((await ask(operation, input, tenant.limited.key)).status).toBe(404);
    }
  });

  it('attachToTask adds up to twenty files', async () => {
    const taskId = await taskOf(tenant.api);
    const attach = (fileName: string) =>
      ask('attachToTask', { taskId, fileName, contentType: 'text/plain', content: 'VGhlIGtleSBzdGlja3Mu' });
    const { status, body } = await attach('note.txt');
    expect([status, body.data.version, body.data.attachments.length]).toEqual([201, 2, 1]);
    expect(body.data.attachments[0]).toMatchObject({ fileName: 'note.txt', sizeBytes: 15 });
    expect(await (await fetch(body.data.attachments[0].url)).text()).toBe('The key sticks.');
    for (let n = 2; n <= 20; n += 1) await attach(`${n}.txt`);
    const full = await attach('21.txt');
    expect([full.status, full.body.error.code]).toEqual([409, 'TOO_MANY_ATTACHMENTS']);
    expect((await read(taskId)).attachments).toHaveLength(20);
  });

  it('removeAttachment deletes a file, and keeps the others', async () => {
    const taskId = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    const attach = async (fileName: string): Promise<Json> => {
      const file = { fileName, contentType: 'text/plain', content: 'VGhlIGtleSBzdGlja3Mu' };
      return (await ask('attachToTask', { taskId, ...file })).body.data.attachments.at(-1);
    };
    const used = async () => (await tenant.api.get('/organization')).body.data.quotas.attachmentBytes.used;
    const before = await used();
    const [gone, kept] = [await attach('gone.txt'), await attach('kept.txt')];
    expect(await used()).toBe(before + 30);

    const input = { taskId, fileId: gone.id };
    expect((await ask('removeAttachment', input, tenant.limited.key)).status).toBe(404);
    expect((await ask('removeAttachment', input, tenant.reader.key)).status).toBe(403);
    expect((await ask('removeAttachment', input, tenant.stranger.key)).status).toBe(404);
    expect((await ask('removeAttachment', { ...input, taskId: await taskOf(tenant.api) })).status).toBe(404);
    await ask('archiveTask', { taskId });
    const { status, body } = await ask('removeAttachment', input);
    expect([status, body.data]).toEqual([200, { id: gone.id, deleted: true }]);
    expect((await ask('removeAttachment', input)).status).toBe(404);
    expect((await read(taskId)).attachments).toMatchObject([{ id: kept.id }]);
    expect(await used()).toBe(before + 15);
    const fetched = async (url: string) => (await fetch(url)).status;
    expect(
      await until(
        () => fetched(gone.url),
        (answer) => answer !== 200,
      ),
    ).toBe(404);
    expect(await fetched(kept.url)).toBe(200);
    const onDisk = readdirSync(join(tenant.service.config.dataDir, 'attachments'), { recursive: true }).map(String);
    const isOnDisk = ({ id }: { id: string }) => onDisk.some((path) => path.endsWith(id.slice('file_'.length)));
    expect([isOnDisk(gone), isOnDisk(kept)]).toEqual([false, true]);
  });

  it('countTasks counts by status within what the key sees', async () => {
    const type = door === 'rest' ? 'administration' : 'check_out';
    const [here, elsewhere] = [
      await taskOf(tenant.api, { type, propertyId: tenant.here }),
      await taskOf(tenant.api, { type, propertyId: tenant.elsewhere }),
    ];
    await ask('startTask', { taskId: here });
    const none = { pending: 0, in_progress: 0, completed: 0, cancelled: 0 };
    expect((await ask('countTasks', { type })).body.data).toEqual({ ...none, pending: 1, in_progress: 1 });
    expect((await ask('countTasks', { type }, tenant.limited.key)).body.data).toEqual({ ...none, in_progress: 1 });
    await ask('archiveTask', { taskId: elsewhere });
    expect((await ask('countTasks', { type })).body.data).toEqual({ ...none, in_progress: 1 });
    expect((await ask('countTasks', { propertyId: tenant.elsewhere }, tenant.limited.key)).status).toBe(404);
  });
});
