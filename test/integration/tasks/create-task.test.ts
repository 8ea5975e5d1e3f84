import { randomUUID } from 'node:crypto';
import { issuePaths } from '../../support/envelope.js';
import { doorNames } from '../../support/doors.js';
import { memberOf } from '../../support/behind-the-api.js';
import { absentId, propertyOf, pushedBy } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

describe.each(doorNames)('createTask over %s', (door) => {
  const create = (input: object, key = tenant.key) => tenant.doors[door].as(key).ask('createTask', input);

  it('creates a pending task with defaults, and returns it whole', async () => {
    const { status, body } = await create({ name: 'Change the linen' });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...task } = body.data;
    expect(id).toMatch(/^task_[0-9a-f]{32}$/);
    expect(createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(updatedAt).toBe(createdAt);
    expect(task).toEqual({
      name: 'Change the linen',
      description: null,
      type: 'other',
      status: 'pending',
      priority: 'normal',
      propertyId: null,
      unitId: null,
      reservationId: null,
      assigneeIds: [],
      timeRule: null,
      canStartAt: null,
      dueAt: null,
      durationMinutes: null,
      checklist: [],
      cost: null,
      recurrence: null,
      attachments: [],
      metadata: {},
      externalRefs: [],
      source: 'manual',
      startedAt: null,
      completedAt: null,
      cancelledAt: null,
      archivedAt: null,
      version: 1,
    });
  });

  it('stores every given field, and reads the same afterwards', async () => {
    const me = (await tenant.api.get('/me')).body.data.member.id as string;
    const given = {
      name: 'Turn over',
      description: 'All of it',
      type: 'cleaning',
      priority: 'urgent',
      propertyId: tenant.here,
      assigneeIds: [me],
      canStartAt: '2030-05-05T10:00:00+02:00',
      dueAt: '2030-05-05T15:00:00.5+02:00',
      durationMinutes: 90,
      metadata: { a: '1', b: '' },
      externalRefs: [{ connectionId: await pushedBy(tenant.api), externalId: randomUUID() }],
    };
    const { body } = await create({
      ...given,
      checklist: [
        { title: 'Beds', required: true },
        { title: 'Plants', done: true },
      ],
    });
    expect(body.data).toMatchObject({
      ...given,
      canStartAt: '2030-05-05T08:00:00.000Z',
      dueAt: '2030-05-05T13:00:00.500Z',
      checklist: [
        { title: 'Beds', required: true, done: false },
        { title: 'Plants', required: false, done: true },
      ],
    });
    expect(body.data.checklist[0].id).not.toBe(body.data.checklist[1].id);
    expect((await tenant.api.get(`/tasks/${body.data.id}`)).body.data).toEqual(body.data);
  });

  it.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: null }],
    ['name', { name: 7 }],
    ['name', { name: 'x'.repeat(201) }],
    ['description', { name: 'x', description: 'x'.repeat(10_001) }],
    ['type', { name: 'x', type: 'gardening' }],
    ['type', { name: 'x', type: null }],
    ['priority', { name: 'x', priority: 1 }],
    ['status', { name: 'x', status: 'completed' }],
    ['id', { name: 'x', id: 'task_1' }],
    ['source', { name: 'x', source: 'automatic' }],
    ['propertyId', { name: 'x', propertyId: 7 }],
    ['assigneeIds', { name: 'x', assigneeIds: null }],
    ['assigneeIds', { name: 'x', assigneeIds: ['a', 'a'] }],
    ['canStartAt', { name: 'x', canStartAt: '2030-05-05' }],
    ['dueAt', { name: 'x', dueAt: '2030-02-30T10:00:00Z' }],
    ['durationMinutes', { name: 'x', durationMinutes: 0 }],
    ['durationMinutes', { name: 'x', durationMinutes: 1.5 }],
    ['durationMinutes', { name: 'x', durationMinutes: '90' }],
    ['checklist', { name: 'x', checklist: {} }],
    ['checklist', { name: 'x', checklist: ['Beds'] }],
    ['checklist', { name: 'x', checklist: Array(201).fill({ title: 'x' }) }],
    ['checklist.1.title', { name: 'x', checklist: [{ title: 'x' }, {}] }],
    ['checklist.0.colour', { name: 'x', checklist: [{ title: 'x', colour: 'red' }] }],
    ['metadata', { name: 'x', metadata: { a: 1 } }],
    ['metadata', { name: 'x', metadata: { a: 'x'.repeat(501) } }],
    ['metadata', { name: 'x', metadata: [] }],
    ['externalRefs.0.externalId', { name: 'x', externalRefs: [{ connectionId: 'pms' }] }],
    ['colour', { name: 'x', colour: 'red' }],
  ])('rejects a bad %s', async (field, input) => {
    const reply = await create(input);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(issuePaths(reply)).toEqual([field]);
    expect(reply.body.error.details).toMatchObject({ service: 'tasks', method: 'createTask' });
  });

  it('names all invalid fields together', async () => {
    const reply = await create({ name: '', type: 'x', colour: 'red', checklist: [{ required: 'yes' }] });
    expect(issuePaths(reply).sort()).toEqual(['checklist.0.required', 'checklist.0.title', 'colour', 'name', 'type']);
  });

  it('rejects a due time before the start time', async () => {
    const { status, body } = await create({
      name: 'x',
      canStartAt: '2030-05-05T10:00:00Z',
      dueAt: '2030-05-05T11:59:59+02:00',
    });
    expect([status, body.error.details.key]).toEqual([400, 'TASK_DUE_BEFORE_START']);
    expect(body.error.message).toContain('Set dueAt to canStartAt or later');
  });

  it('may be due at its start time', async () => {
    const at = '2030-05-05T10:00:00Z';
    expect((await create({ name: 'x', canStartAt: at, dueAt: at })).status).toBe(201);
  });

  it('rejects an unknown assignee, or one of another organization, with the same error', async () => {
    const foreign = (await tenant.stranger.get('/me')).body.data.member.id as string;
    const [absent, other] = [
      await create({ name: 'x', assigneeIds: [absentId('member')] }),
      await create({ name: 'x', assigneeIds: [foreign] }),
    ];
    expect([absent.status, absent.body.error.details.key]).toEqual([400, 'TASK_ASSIGNEE_UNKNOWN']);
    expect(other.body.error).toEqual(absent.body.error);
  });

  it.each(['suspended', 'removed', 'invited'] as const)('rejects an assignee who is %s', async (memberStatus) => {
    const member = await memberOf(tenant.service, { status: memberStatus });
    const { status, body } = await create({ name: 'x', assigneeIds: [member] });
    expect([status, body.error.details.key]).toEqual([400, 'TASK_ASSIGNEE_UNKNOWN']);
  });

  it('rejects an assignee who cannot see the property', async () => {
    const member = await memberOf(tenant.service, { propertyIds: [tenant.elsewhere] });
    const { status, body } = await create({ name: 'x', propertyId: tenant.here, assigneeIds: [member] });
    expect([status, body.error.details.key]).toEqual([400, 'TASK_ASSIGNEE_CANNOT_SEE_PROPERTY']);
    expect((await create({ name: 'x', propertyId: tenant.elsewhere, assigneeIds: [member] })).status).toBe(201);
  });

  it('returns 404 for a property that is absent, another organization’s, or not an id', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const replies = await Promise.all(
      [absentId('property'), foreign, 'somewhere'].map((propertyId) => create({ name: 'x', propertyId })),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(replies.map(({ body }) => JSON.stringify(body.error))).size).toBe(1);
  });

  it('rejects an archived property', async () => {
    const propertyId = await propertyOf(tenant.api);
    await tenant.api.post(`/properties/${propertyId}/archive`);
    const { status, body } = await create({ name: 'x', propertyId });
    expect([status, body.error.code]).toEqual([409, 'PROPERTY_ARCHIVED']);
  });

  it('rejects a key without the scope', async () => {
    const { status, body } = await create({ name: 'x' }, tenant.reader.key);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toMatch(/^Missing permission tasks:write/);
  });

  it('requires a limited key to name one of its properties', async () => {
    const { key } = tenant.limited;
    const unnamed = await create({ name: 'x' }, key);
    expect([unnamed.status, issuePaths(unnamed)]).toEqual([400, ['propertyId']]);
    expect((await create({ name: 'x', propertyId: tenant.elsewhere }, key)).status).toBe(404);
    expect((await create({ name: 'x', propertyId: tenant.here }, key)).status).toBe(201);
  });
});
