import { TenantDatabase } from '#persistence';
import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { isLong } from '../../support/sampled.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const idsOf = (rows: Json[]): string[] => rows.map(({ id }) => id as string);

/** A poller continues from the latest time that it saw. */
async function poll(seen: Map<string, number>, since: string): Promise<string> {
  let [highest, cursor] = [since, ''];
  do {
    const { body } = await tenant.api.get(`/tasks?limit=100&updatedSince=${since}${cursor}`);
    for (const { id, version, updatedAt } of body.data as Json[]) {
      seen.set(id, Math.max(version, seen.get(id) ?? 0));
      if (updatedAt > highest) highest = updatedAt;
    }
    cursor = body.meta.pagination.nextCursor ? `&cursor=${body.meta.pagination.nextCursor}` : '';
  } while (cursor);
  return highest;
}

/** What each of sixteen writers does. */
const rounds = isLong ? 25 : 8;

it('a poller by updatedSince misses no change of sixteen writers', async () => {
  const keys = await Promise.all(Array.from({ length: 16 }, () => keyWith(tenant.api, { ratePerMinute: 60_000 })));
  const tasks = await Promise.all(keys.map(({ api }) => taskOf(api)));
  const since = (await tenant.api.get(`/tasks/${tasks[0]}`)).body.data.createdAt as string;
  const seen = new Map<string, number>();
  let [isWriting, next] = [true, since];
  const writing = Promise.all(
    keys.map(async ({ api }, index) => {
      for (let n = 0; n < rounds; n += 1) {
        const made = await taskOf(api);
        await api.patch(`/tasks/${made}`, { name: `Changed ${n}` });
        await api.patch(`/tasks/${tasks[index]}`, { name: `Changed ${n}` });
      }
    }),
  ).then(() => (isWriting = false));
  while (isWriting) next = await poll(seen, next);
  await writing;
  await poll(seen, next);
  const all = new Map<string, number>();
  await poll(all, since);
  expect(all.size).toBe(16 * (rounds + 1));
  expect([...all].filter(([id, version]) => seen.get(id) !== version)).toEqual([]);
});

it('a change that an earlier transaction could still precede is held back, and shown once that has ended', async () => {
  const first = (await tenant.api.get(`/tasks/${await taskOf(tenant.api)}`)).body.data;
  const listed = async () =>
    idsOf((await tenant.api.get(`/tasks?limit=100&updatedSince=${first.updatedAt}`)).body.data as Json[]);
  // Background work has transactions of its own, which may hold it back for a moment.
  await until(listed, (ids) => ids.length === 1);
  const database = tenant.service.app.get(TenantDatabase);
  let end = (): void => undefined;
  const slow = database.transaction(tenant.orgId, async () => {
    await database.rows(tenant.orgId, 'select 1', []);
    await new Promise<void>((resolve) => (end = resolve));
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const later = await taskOf(tenant.api);
  try {
    expect(await listed()).toEqual([first.id]);
    expect(idsOf((await tenant.api.get('/tasks?limit=1')).body.data)).toEqual([later]);
  } finally {
    end();
    await slow;
  }
  expect(await until(listed, (ids) => ids.length === 2)).toEqual([first.id, later]);
});

it('a transaction of another process holds changes back too', async () => {
  const { default: pg } = await import('pg');
  const other = new pg.Client({ connectionString: tenant.service.database.url });
  await other.connect();
  await other.query('begin; select 1');
  await new Promise((resolve) => setTimeout(resolve, 20));
  const later = (await tenant.api.get(`/tasks/${await taskOf(tenant.api)}`)).body.data;
  const listed = async () => (await tenant.api.get(`/tasks?updatedSince=${later.updatedAt}`)).body.data;
  expect(await listed()).toEqual([]);
  await other.query('commit');
  await other.end();
  expect(await until(listed, ({ length }) => length > 0)).toMatchObject([{ id: later.id }]);
});

describe.each(doorNames)('over %s', (name) => {
  const ask = (operation: string, input?: object) => tenant.doors[name].ask(operation, input);
  const createdIn = (body: Json): string[] => body.data.map(({ subject }: Json) => subject.id as string);

  it('a list by time of change is in the order of change', async () => {
    const made = [await taskOf(tenant.api), await taskOf(tenant.api), await taskOf(tenant.api)];
    const { updatedAt } = (await ask('getTask', { taskId: made[0] })).body.data;
    await ask('updateTask', { taskId: made[1], name: 'Changed' });
    const all = () => ask('listTasks', { updatedSince: updatedAt });
    await until(all, ({ body }) => body.data.length === 3);
    const page = await ask('listTasks', { updatedSince: updatedAt, limit: 2 });
    const { nextCursor: cursor } = page.body.meta.pagination;
    const rest = await ask('listTasks', { updatedSince: updatedAt, limit: 2, cursor });
    expect(idsOf([...page.body.data, ...rest.body.data])).toEqual([made[0], made[2], made[1]]);
    const newest = await ask('listTasks', { updatedSince: updatedAt, sort: '-updatedAt' });
    expect(idsOf(newest.body.data)).toEqual([made[1], made[2], made[0]]);
  });

  it('a list returns where the feed continues, and nothing is lost between the two', async () => {
    const { feedCursor } = (await ask('listTasks', { limit: 1 })).body.meta;
    const made = await taskOf(tenant.api);
    await feedSettled(tenant.service);
    // While another file's transaction holds the feed back, it continues from before what was made earlier: several pages.
    const created: string[] = [];
    for (let cursor = feedCursor as string, isEnd = false; !isEnd;) {
      const { data, meta } = (await ask('listEvents', { cursor, types: ['task.created'], limit: 100 })).body;
      created.push(...createdIn({ data }));
      [cursor, isEnd] = [meta.pagination.nextCursor, data.length === 0];
    }
    expect(created).toContain(made);
    const { api } = await keyWith(tenant.api, { scopes: ['tasks:read'] });
    expect((await api.get('/tasks')).body.meta.feedCursor).toBeUndefined();
    expect((await tenant.stranger.get(`/events?cursor=${feedCursor}`)).status).toBe(400);
  });

  it('the feed starts at its end, at a time, or at a property', async () => {
    await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    await feedSettled(tenant.service);
    const end = (await ask('listEvents', { cursor: 'latest' })).body;
    expect(end.data).toEqual([]);
    const from = new Date().toISOString();
    const [here] = [await taskOf(tenant.api, { propertyId: tenant.here }), await taskOf(tenant.api)];
    const there = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    await feedSettled(tenant.service);
    const after = (await ask('listEvents', { cursor: end.meta.pagination.nextCursor })).body;
    expect(createdIn(after)).toEqual(expect.arrayContaining([here, there]));
    expect(createdIn((await ask('listEvents', { from })).body)).toEqual(createdIn(after));
    const at = { from, propertyId: tenant.here };
    expect(createdIn((await ask('listEvents', at)).body)).toEqual([here]);
    const both = await ask('listEvents', { from, cursor: end.meta.pagination.nextCursor });
    expect([both.status, both.body.error.details.issues[0].path]).toEqual([400, ['from']]);
  });
});
