import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { memberOf } from '../../support/behind-the-api.js';
import { absentId, propertyOf, taskOf } from '../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const read = async (id: string) => (await tenant.api.get(`/tasks/${id}`)).body.data;

describe.each(doorNames)('updateTask over %s', (door) => {
  const update = (taskId: string, changes: object, key = tenant.key) =>
    tenant.doors[door].as(key).ask('updateTask', { taskId, ...changes });

  it('changes the given fields and keeps the rest', async () => {
    const id = await taskOf(tenant.api, { name: 'Before', priority: 'high', metadata: { a: '1' } });
    const before = await read(id);
    clock.set('2030-05-05T12:00:00Z');
    const { status, body } = await update(id, { name: 'After' });
    expect(status).toBe(200);
    expect(body.data).toEqual({ ...before, name: 'After', version: 2, updatedAt: '2030-05-05T12:00:00.000Z' });
    clock.restore();
    expect(await read(id)).toEqual(body.data);
  });

  it('clears optional fields with null', async () => {
    const full = {
      description: 'x',
      propertyId: tenant.here,
      canStartAt: '2030-05-05T10:00:00Z',
      dueAt: '2030-05-06T10:00:00Z',
      durationMinutes: 5,
    };
    const id = await taskOf(tenant.api, full);
    const nothing = Object.fromEntries(Object.keys(full).map((name) => [name, null]));
    expect((await update(id, nothing)).body.data).toMatchObject(nothing);
    expect(await read(id)).toMatchObject(nothing);
  });

  it.each(['name', 'type', 'priority', 'assigneeIds', 'checklist', 'metadata', 'externalRefs'])(
    'rejects null for %s',
    async (field) => {
      const reply = await update(await taskOf(tenant.api), { [field]: null });
      expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
    },
  );

  it.each(['status', 'id', 'completedAt', 'source', 'version'])(
    'rejects %s, which clients cannot set',
    async (field) => {
      const reply = await update(await taskOf(tenant.api), { [field]: 'x' });
      expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
    },
  );

  it('keeps the ids of known checklist items, and gives new ones to the others', async () => {
    const id = await taskOf(tenant.api, { checklist: [{ title: 'Beds' }, { title: 'Plants' }] });
    const [beds] = (await read(id)).checklist;
    const checklist = [{ title: 'New', id: 'mine' }, { ...beds, title: 'All beds' }, { ...beds }];
    const { body } = await update(id, { checklist });
    const ids = body.data.checklist.map((item: { id: string }) => item.id) as string[];
    expect(ids[1]).toBe(beds.id);
    expect(new Set([...ids, 'mine']).size).toBe(4);
    expect(body.data.checklist[1].title).toBe('All beds');
  });

  it('checks dates against the stored ones', async () => {
    const id = await taskOf(tenant.api, { canStartAt: '2030-05-05T10:00:00Z' });
    const { status, body } = await update(id, { dueAt: '2030-05-05T09:00:00Z' });
    expect([status, body.error.details.key]).toEqual([400, 'TASK_DUE_BEFORE_START']);
  });

  it('checks assignees against the stored property, and the property against the stored assignees', async () => {
    const member = await memberOf(tenant.service, { propertyIds: [tenant.elsewhere] });
    const there = await taskOf(tenant.api, { propertyId: tenant.here });
    const assigned = await taskOf(tenant.api, { propertyId: tenant.elsewhere, assigneeIds: [member] });
    const replies = [
      await update(there, { assigneeIds: [member] }),
      await update(assigned, { propertyId: tenant.here }),
    ];
    expect(replies.map(({ body }) => body.error.details.key)).toEqual(
      Array(2).fill('TASK_ASSIGNEE_CANNOT_SEE_PROPERTY'),
    );
    const unknown = await update(there, { assigneeIds: [absentId('member')] });
    expect(unknown.body.error.details.key).toBe('TASK_ASSIGNEE_UNKNOWN');
  });

  it('limits a limited key to its properties', async () => {
    const { key } = tenant.limited;
    const [here, elsewhere] = [
      await taskOf(tenant.api, { propertyId: tenant.here }),
      await taskOf(tenant.api, { propertyId: tenant.elsewhere }),
    ];
    expect((await update(elsewhere, { name: 'Mine' }, key)).status).toBe(404);
    expect((await update(here, { propertyId: tenant.elsewhere }, key)).status).toBe(404);
    expect(issuePaths(await update(here, { propertyId: null }, key))).toEqual(['propertyId']);
    expect((await update(here, { name: 'Mine' }, key)).status).toBe(200);
    expect((await read(elsewhere)).name).not.toBe('Mine');
  });

  it('returns 404 for another organization’s property', async () => {
    const foreign = await propertyOf(tenant.stranger);
    expect((await update(await taskOf(tenant.api), { propertyId: foreign })).status).toBe(404);
  });

  it('requires the scope', async () => {
    const { status, body } = await update(await taskOf(tenant.api), { name: 'x' }, tenant.reader.key);
    expect([status, body.error.type]).toEqual([403, 'authorization_error']);
  });
});

describe('If-Match', () => {
  it('accepts a change that was prepared for this version, and rejects one for an earlier version', async () => {
    const id = await taskOf(tenant.api);
    expect((await tenant.api.patch(`/tasks/${id}`, { name: 'One' }, { 'if-match': '"1"' })).status).toBe(200);
    const stale = await tenant.api.patch(`/tasks/${id}`, { name: 'Two' }, { 'if-match': '"1"' });
    expect([stale.status, stale.body.error.type, stale.body.error.code]).toEqual([
      409,
      'conflict_error',
      'VERSION_MISMATCH',
    ]);
    expect(stale.body.error.details).toEqual({ version: 2 });
    expect((await tenant.api.patch(`/tasks/${id}`, { name: 'Three' }, { 'if-match': '*' })).status).toBe(200);
    expect((await read(id)).name).toBe('Three');
  });

  it('accepts one of many changes that were prepared for the same version', async () => {
    const id = await taskOf(tenant.api);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => tenant.api.patch(`/tasks/${id}`, { name: `${n}` }, { 'if-match': '"1"' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)]);
  });
});

describe('a task of another organization', () => {
  it('returns the same bytes as an absent one, and is not changed', async () => {
    const foreign = await taskOf(tenant.stranger, { name: 'Theirs' });
    const [one, other] = [
      await tenant.api.patch(`/tasks/${foreign}`, { name: 'Mine' }),
      await tenant.api.patch(`/tasks/${absentId('task')}`, { name: 'Mine' }),
    ];
    expect(one.status).toBe(404);
    expect(butForRequestId(one)).toEqual(butForRequestId(other));
    expect((await tenant.stranger.get(`/tasks/${foreign}`)).body.data.name).toBe('Theirs');
  });

  it('rejects an id in the body', async () => {
    const id = await taskOf(tenant.api);
    expect(issuePaths(await tenant.api.patch(`/tasks/${id}`, { taskId: id }))).toEqual(['taskId']);
  });
});
