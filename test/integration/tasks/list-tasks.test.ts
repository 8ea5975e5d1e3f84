import type { Api, Reply } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { memberOf } from '../../support/behind-the-api.js';
import { absentId, propertyOf, taskOf, unitOf } from '../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
/** The ids, oldest first. */
let ids: string[];
let member: string;
beforeAll(async () => {
  tenant = await startTenant();
  member = await memberOf(tenant.service);
  const wishes = [
    { name: 'a', type: 'cleaning', priority: 'low', propertyId: tenant.here, dueAt: '2030-05-03T10:00:00Z' },
    { name: 'b', type: 'cleaning', priority: 'high', propertyId: tenant.elsewhere, dueAt: '2030-05-01T10:00:00Z' },
    { name: 'c', type: 'issue', priority: 'low', assigneeIds: [member] },
    { name: 'd', type: 'issue', priority: 'urgent', propertyId: tenant.here, dueAt: '2030-05-02T10:00:00Z' },
    { name: 'e', type: 'other', priority: 'normal', dueAt: '2030-05-02T10:00:00Z' },
  ];
  ids = [];
  for (const [index, wish] of wishes.entries()) {
    clock.set(`2030-04-01T10:0${index}:00Z`);
    ids.push(await taskOf(tenant.api, wish));
  }
  clock.set('2030-04-01T11:00:00Z');
  await tenant.api.post(`/tasks/${ids[1]}/complete`);
  clock.restore();
  await taskOf(tenant.stranger, { name: 'theirs' });
});
afterAll(() => tenant.close());

const namesIn = ({ body }: Pick<Reply, 'body'>): string =>
  (body.data as { name: string }[]).map(({ name }) => name).join('');

/** Every page, one task a page. */
async function walk(api: Api, query: string): Promise<string> {
  let names = '';
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: Reply = await api.get(`/tasks?limit=1${query}${cursor && `&cursor=${cursor}`}`);
    names += namesIn({ body });
    cursor = body.meta.pagination.nextCursor as string | null;
  }
  return names;
}

describe.each(doorNames)('listTasks over %s', (door) => {
  const list = (input: object, key = tenant.key) => tenant.doors[door].as(key).ask('listTasks', input);

  it('returns the organization’s tasks, newest first, 20 a page', async () => {
    const { status, body } = await list({});
    expect([status, namesIn({ body })]).toEqual([200, 'edcba']);
    expect(body.meta).toEqual({
      requestId: expect.any(String),
      pagination: { limit: 20, nextCursor: null },
      feedCursor: expect.any(String),
    });
  });

  it.each([
    [{ status: 'pending' }, 'edca'],
    [{ status: 'completed' }, 'b'],
    [{ status: 'cancelled' }, ''],
    [{ type: 'cleaning' }, 'ba'],
    [{ priority: 'low' }, 'ca'],
    [{ type: 'issue', priority: 'low' }, 'c'],
    [{ types: ['issue', 'other'] }, 'edc'],
    [{ statuses: ['completed', 'cancelled'] }, 'b'],
    [{ statuses: ['pending', 'completed'], types: ['cleaning'] }, 'ba'],
    [{ open: true }, 'edca'],
    [{ open: false }, 'b'],
    [{ dueFrom: '2030-05-02T10:00:00Z' }, 'eda'],
    [{ dueFrom: '2030-05-02T10:00:00.001Z' }, 'a'],
    [{ dueFrom: '2030-05-02T12:00:00+02:00', dueBefore: '2030-05-03T10:00:00Z' }, 'ed'],
    [{ dueBefore: '2030-05-02T10:00:00Z' }, 'b'],
    [{ updatedSince: '2030-04-01T10:02:00Z' }, 'cdeb'],
    [{ updatedSince: '2030-04-01T10:04:00.001Z' }, 'b'],
    [{ sort: 'createdAt' }, 'abcde'],
    [{ sort: '-createdAt' }, 'edcba'],
    [{ sort: 'updatedAt' }, 'acdeb'],
    [{ sort: '-updatedAt' }, 'bedca'],
    [{ sort: 'dueAt' }, 'bdeac'],
    [{ sort: '-dueAt' }, 'aedbc'],
    [{ sort: 'dueAt', status: 'pending' }, 'deac'],
  ])('%j → %s', async (input, names) => {
    expect(namesIn(await list(input))).toBe(names);
  });

  it('the overdue filter follows the clock, also from page to page', async () => {
    clock.set('2030-05-02T10:00:00.001Z');
    expect(namesIn(await list({ overdue: true }))).toBe('ed');
    expect(namesIn(await list({ overdue: false }))).toBe('cba');
    const newest = await list({ overdue: true, limit: 1 });
    const { nextCursor: older } = newest.body.meta.pagination;
    expect(namesIn(newest) + namesIn(await list({ overdue: true, limit: 1, cursor: older }))).toBe('ed');
    const first = await list({ overdue: true, limit: 1, sort: 'dueAt' });
    clock.set('2030-05-03T11:00:00Z');
    const { nextCursor: cursor } = first.body.meta.pagination;
    expect(namesIn(await list({ overdue: true, limit: 2, sort: 'dueAt', cursor }))).toBe('ea');
    expect((await list({ overdue: false, limit: 1, sort: 'dueAt', cursor })).status).toBe(400);
    clock.restore();
  });

  it('filters by unit, and by a part of the name', async () => {
    const propertyId = tenant.here;
    const unitId = await unitOf(tenant.api, propertyId);
    const id = await taskOf(tenant.api, { name: 'Mend 100% of the taps', propertyId, unitId });
    expect(namesIn(await list({ unitId }))).toBe('Mend 100% of the taps');
    expect(namesIn(await list({ q: 'MEND 100%' }))).toBe('Mend 100% of the taps');
    expect(namesIn(await list({ q: 'M_nd' }))).toBe('');
    expect(namesIn(await list({ unitId: absentId('unit') }))).toBe('');
    await tenant.api.post(`/tasks/${id}/archive`);
  });

  it('filters by property and by assignee', async () => {
    expect(namesIn(await list({ propertyId: tenant.here }))).toBe('da');
    expect(namesIn(await list({ assigneeId: member }))).toBe('c');
    expect(namesIn(await list({ assigneeId: absentId('member') }))).toBe('');
  });

  it('returns 404 for a property that the key cannot see, and for a malformed id', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const asked = [
      list({ propertyId: absentId('property') }),
      list({ propertyId: foreign }),
      list({ propertyId: 'none' }),
      list({ propertyId: tenant.elsewhere }, tenant.limited.key),
      list({ assigneeId: 'none' }),
    ];
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('shows a limited key only the tasks at its properties', async () => {
    expect(namesIn(await list({}, tenant.limited.key))).toBe('da');
    expect(namesIn(await list({ sort: 'dueAt' }, tenant.limited.key))).toBe('da');
    expect(namesIn(await list({ assigneeId: member }, tenant.limited.key))).toBe('');
  });

  it('shows another organization its own tasks', async () => {
    expect(namesIn(await list({}, tenant.stranger.key))).toBe('theirs');
  });

  it('requires the scope', async () => {
    const { body } = await tenant.api.post('/api-keys', { name: 'x', scopes: ['properties:read'] });
    expect((await list({}, body.data.key)).status).toBe(403);
  });

  it.each([
    ['limit', { limit: 0 }],
    ['limit', { limit: 101 }],
    ['limit', { limit: -1 }],
    ['sort', { sort: 'name' }],
    ['sort', { sort: '+dueAt' }],
    ['status', { status: 'done' }],
    ['type', { type: '' }],
    ['dueFrom', { dueFrom: 'tomorrow' }],
    ['cursor', { cursor: 'x' }],
    ['offset', { offset: 20 }],
    ['page', { page: 2 }],
  ])('rejects a bad %s', async (field, input) => {
    const reply = await list(input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });
});

describe('pages', () => {
  it.each(['', '&sort=createdAt', '&sort=updatedAt', '&sort=-updatedAt', '&sort=dueAt', '&sort=-dueAt'])(
    'return every task once, in order%s',
    async (sort) => {
      const whole = namesIn(await tenant.api.get(`/tasks?limit=100${sort}`));
      expect(whole).toHaveLength(5);
      expect(await walk(tenant.api, sort)).toBe(whole);
    },
  );

  it('return the filtered tasks once, to a limited key too', async () => {
    expect(await walk(tenant.api, '&status=pending&sort=-dueAt')).toBe('aedc');
    expect(await walk(tenant.limited, '')).toBe('da');
  });

  it('show their limit, and have no cursor on the last page', async () => {
    expect((await tenant.api.get('/tasks?limit=5')).body.meta.pagination).toEqual({ limit: 5, nextCursor: null });
    expect((await tenant.api.get('/tasks?limit=4')).body.meta.pagination).toEqual({
      limit: 4,
      nextCursor: expect.any(String),
    });
    expect((await tenant.api.get('/tasks?limit=100')).status).toBe(200);
  });

  it('continue from their position while tasks are created', async () => {
    const first = await tenant.api.get('/tasks?limit=2&type=cleaning&sort=createdAt');
    expect(first.body.meta.pagination.nextCursor).toBeNull();
    const page = await tenant.api.get('/tasks?limit=3');
    const made = await taskOf(tenant.api, { name: 'f', type: 'inventory' });
    const rest = await tenant.api.get(`/tasks?limit=3&cursor=${page.body.meta.pagination.nextCursor}`);
    expect(namesIn(rest)).toBe('ba');
    await tenant.api.post(`/tasks/${made}/complete`);
  });
});

describe('a cursor', () => {
  const cursorOf = async (api: Api, query: string): Promise<string> =>
    (await api.get(`/tasks?limit=1${query}`)).body.meta.pagination.nextCursor as string;

  it('is bound to its filters and sort order', async () => {
    const cursor = await cursorOf(tenant.api, '&status=pending&sort=dueAt');
    expect((await tenant.api.get(`/tasks?status=pending&sort=dueAt&limit=3&cursor=${cursor}`)).status).toBe(200);
    for (const query of [
      '',
      'status=completed&sort=dueAt',
      'status=pending',
      'status=pending&sort=-dueAt',
      'sort=dueAt',
    ]) {
      const reply = await tenant.api.get(`/tasks?${query}&cursor=${cursor}`);
      expect([query, reply.status, issuePaths(reply)]).toEqual([query, 400, ['cursor']]);
    }
  });

  it('is bound to what the credential sees', async () => {
    const cursor = await cursorOf(tenant.api, '');
    expect((await tenant.limited.get(`/tasks?cursor=${cursor}`)).status).toBe(400);
    expect((await tenant.stranger.get(`/tasks?cursor=${cursor}`)).status).toBe(400);
  });

  it('cannot be forged', async () => {
    const cursor = await cursorOf(tenant.api, '');
    const [payload = '', signature = ''] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify([null, absentId('task').replace('task_', '')])).toString('base64url');
    for (const other of [
      payload,
      `${payload}.`,
      `.${signature}`,
      `${forged}.${signature}`,
      `${cursor}x`,
      `${payload}x.${signature}`,
    ]) {
      const reply = await tenant.api.get(`/tasks?cursor=${encodeURIComponent(other)}`);
      expect([other, reply.status, issuePaths(reply)]).toEqual([other, 400, ['cursor']]);
    }
  });
});

describe('an absent property', () => {
  it('returns the same bytes as another organization’s property', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const [one, other] = [
      await tenant.api.get(`/tasks?propertyId=${foreign}`),
      await tenant.api.get(`/tasks?propertyId=${absentId('property')}`),
    ];
    expect(one.status).toBe(404);
    expect(butForRequestId(one)).toEqual(butForRequestId(other));
  });
});
