import pg from 'pg';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import type { LoggedRequest } from '../../../src/platform/requests/logged-request.js';
import { RetentionService } from '../../../src/processes/retention/retention.service.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, keyWith, taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let database: pg.Client;
beforeAll(async () => {
  tenant = await startTenant();
  database = new pg.Client({ connectionString: tenant.service.database.url });
  await database.connect();
});
afterEach(() => clock.restore());
afterAll(async () => {
  await database.end();
  await tenant.close();
});

const log = () => tenant.service.app.get(RequestLog);

/** The entry of a request by the id that the client gave it, once it is written. */
async function logged(requestId: string): Promise<Json> {
  const { body } = await until(
    () => tenant.api.get(`/requests/${encodeURIComponent(requestId)}`),
    ({ status }) => status === 200,
  );
  return body.data;
}

it('keeps an id that a client chose as it was sent, and the invalid fields beside it', async () => {
  const id = 'a "quoted", {braced}, NULL, c:\\path';
  await tenant.api.post('/tasks', { 'na"me,': 1, other: '' }, { 'x-request-id': id });
  const { requestId, invalidFields } = await logged(id);
  expect(requestId).toBe(id);
  expect(invalidFields).toEqual(expect.arrayContaining(['name']));
});

it('names no field where the body as a whole is invalid', async () => {
  await tenant.api.post('/tasks', [] as object, { 'x-request-id': 'a list' });
  expect(await logged('a list')).toMatchObject({ status: 400, invalidFields: [] });
});

it('lists a request within 3 s: who requested what, through which door, and how it ended', async () => {
  const startedAt = Date.now();
  await tenant.api.post('/tasks', { name: 'private words' }, { 'x-request-id': 'made it' });
  const entry = await logged('made it');
  expect(Date.now() - startedAt).toBeLessThan(3_000);
  const { member } = (await tenant.api.get('/me')).body.data;
  expect(entry).toEqual({
    id: expect.stringMatching(/^request_[0-9a-f]{32}$/),
    requestId: 'made it',
    at: expect.stringMatching(/Z$/),
    door: 'rest',
    operation: 'createTask',
    status: 201,
    code: null,
    credential: { kind: 'api-key', id: expect.stringMatching(/^key_/) },
    applicationId: null,
    memberId: member.id,
    milliseconds: expect.any(Number),
    bytes: expect.any(Number),
    replayed: false,
    dryRun: false,
    invalidFields: [],
    sampled: false,
  });
  expect(entry.bytes).toBeGreaterThan(300);
  expect((await tenant.api.get(`/requests/${entry.id}`)).body.data).toEqual(entry);
});

it("finds a request without a client's id by the id of its response", async () => {
  const requestId = (await tenant.api.get('/me')).headers.get('x-request-id') as string;
  expect(await logged(requestId)).toMatchObject({ requestId, operation: 'getMe' });
});

it('finds the newest of those that repeat an id', async () => {
  for (const path of ['/me', '/organization']) await tenant.api.get(path, { 'x-request-id': 'again' });
  await until(
    () => logged('again'),
    ({ operation }) => operation === 'getOrganization',
  );
});

it('includes rejected requests, with the code and the names of the invalid fields', async () => {
  const send = (path: string, id: string, body: object, key = tenant.key) =>
    tenant.api.as(key).post(path, body, { 'x-request-id': id });
  await send('/tasks', 'invalid', { name: '', checklist: [{ title: 7 }], sk_live_secret: 1 });
  await send('/tasks', 'forbidden', { name: 'x' }, (await keyWith(tenant.api, { scopes: ['tasks:read'] })).key);
  await send('/nothing-here', 'lost', {});
  expect(await logged('invalid')).toMatchObject({
    status: 400,
    code: 'VALIDATION_ERROR',
    invalidFields: expect.arrayContaining(['name', 'checklist.0.title', '…']),
  });
  expect(await logged('forbidden')).toMatchObject({ status: 403, code: 'FORBIDDEN', operation: 'createTask' });
  expect(await logged('lost')).toMatchObject({ status: 404, code: 'NOT_FOUND', operation: null });
  const { rows } = await database.query("select 1 from requests r where r::text like '%secret%'");
  expect(rows).toEqual([]);
});

it('includes what the rate limit rejected, and marks replays', async () => {
  const { api, id } = await keyWith(tenant.api, { ratePerMinute: 1_000 });
  clock.set(Date.now());
  const replies = await Promise.all(Array.from({ length: 150 }, () => api.get('/me')));
  const refused = replies.filter(({ status }) => status === 429).length;
  expect(refused).toBeGreaterThan(0);
  clock.restore();
  const { body } = await until(
    () => tenant.api.get(`/requests?credentialId=${id}&status=429&limit=100`),
    (reply) => reply.body.data.length >= refused,
  );
  expect(body.data).toHaveLength(refused);
  expect(body.data[0]).toMatchObject({ operation: 'getMe', code: 'RATE_LIMITED' });
  const headers = { 'idempotency-key': 'once', 'x-request-id': 'first' };
  await tenant.api.post('/tasks', { name: 'x' }, headers);
  await tenant.api.post('/tasks', { name: 'x' }, { ...headers, 'x-request-id': 'second' });
  expect(await logged('second')).toMatchObject({ status: 201, replayed: true });
  expect(await logged('first')).toMatchObject({ replayed: false });
});

describe.each(doorNames)('over %s', (name) => {
  const ask = (operation: string, input?: object) => tenant.doors[name].ask(operation, input);

  it('lists requests newest first, page by page, and by their properties', async () => {
    const task = absentId('task');
    await ask('getTask', { taskId: task });
    await taskOf(tenant.api);
    await log().write();
    const ofDoor = await ask('listRequests', { door: name, status: '4xx', operation: 'getTask', limit: 1 });
    expect(ofDoor.body.data).toMatchObject([{ door: name, operation: 'getTask', status: 404, code: 'NOT_FOUND' }]);
    const [first, second] = (await ask('listRequests', { limit: 2, to: ofDoor.body.data[0].at })).body.data;
    expect(first.id > second.id).toBe(true);
    const page = (await ask('listRequests', { limit: 1, to: ofDoor.body.data[0].at })).body;
    const next = { limit: 1, to: ofDoor.body.data[0].at, cursor: page.meta.pagination.nextCursor };
    expect([page.data[0].id, (await ask('listRequests', next)).body.data[0].id]).toEqual([first.id, second.id]);
    for (const filter of [{ code: 'NOT_FOUND' }, { status: '404' }, { from: ofDoor.body.data[0].at }, { door: name }])
      expect((await ask('listRequests', { ...filter, limit: 100 })).body.data).toContainEqual(ofDoor.body.data[0]);
    for (const filter of [{ code: 'CONFLICT' }, { applicationId: absentId('grant') }, { credentialId: 'key_none' }])
      expect((await ask('listRequests', { ...filter, limit: 100 })).body.data).toEqual([]);
    expect(await ask('listRequests', { status: '6xx' })).toMatchObject({ status: 400 });
  });

  it('finds no unknown request, nor one of another organization', async () => {
    await tenant.stranger.get('/me', { 'x-request-id': `theirs-${name}` });
    await log().write();
    expect((await tenant.stranger.get(`/requests/theirs-${name}`)).status).toBe(200);
    for (const requestId of [`theirs-${name}`, absentId('request'), 'none'])
      expect((await ask('getRequest', { requestId })).status).toBe(404);
  });

  it('counts requests, errors and durations by hour and by day', async () => {
    const { key, id } = await keyWith(tenant.api, { scopes: ['tasks:read'] });
    for (let n = 0; n < 3; n += 1) await tenant.doors[name].as(key).ask('listTasks', { limit: 1 });
    await tenant.doors[name].as(key).ask('listTasks', { limit: 1_000 });
    await tenant.doors[name].as(key).ask('createTask', { name: 'x' });
    // A request is counted when its connection is done with it, which the client may learn first.
    await until(
      async () => {
        await log().write();
        return (await ask('getUsage', { credentialId: id, per: 'day' })).body.data as Json[];
      },
      (rows) => rows.length === 2,
    );
    for (const per of ['hour', 'day']) {
      const first = (await ask('getUsage', { credentialId: id, per, limit: 1 })).body;
      const { nextCursor: cursor } = first.meta.pagination;
      const second = (await ask('getUsage', { credentialId: id, per, limit: 1, cursor })).body;
      expect([...first.data, ...second.data]).toEqual([
        {
          at: expect.stringMatching(per === 'day' ? /T00:00:00.000Z$/ : /:00:00.000Z$/),
          credential: { kind: 'api-key', id },
          operation: 'listTasks',
          requests: 4,
          errors: 1,
          rateLimited: 0,
          milliseconds: expect.any(Number),
          peakPerMinute: 5,
        },
        expect.objectContaining({ operation: 'createTask', requests: 1, errors: 1, peakPerMinute: 5 }),
      ]);
      expect(second.meta.pagination.nextCursor).toBeNull();
    }
    const of = { credentialId: id, operation: 'createTask' };
    expect((await ask('getUsage', of)).body.data).toHaveLength(1);
    expect((await ask('getUsage', { ...of, to: '2020-01-01T00:00:00Z' })).body.data).toEqual([]);
    expect((await ask('getUsage', { ...of, from: '2199-01-01T00:00:00Z' })).body.data).toEqual([]);
  });
});

it('returns the busiest minute of a credential, whichever process counted it', async () => {
  const { api, id } = await keyWith(tenant.api);
  // The service may still be writing what it received a moment before.
  const peakIs = async (per: string, peak: number) => {
    await log().write();
    await until(
      () => tenant.api.get(`/usage?credentialId=${id}&per=${per}&limit=1`),
      ({ body }) => body.data[0]?.peakPerMinute === peak,
    );
  };
  const ask = async (times: number) => {
    for (let n = 0; n < times; n += 1) await api.get('/me');
  };
  clock.set(Date.parse('2026-11-23T10:58:10Z'));
  await ask(2);
  await peakIs('hour', 2);
  await ask(3);
  await peakIs('hour', 5);
  clock.set(Date.parse('2026-11-23T10:59:00Z'));
  await ask(1);
  clock.set(Date.parse('2026-11-23T11:00:30Z'));
  await ask(3);
  await peakIs('hour', 3);
  await peakIs('day', 5);
  // What another process counted of a minute that has ended.
  clock.set(Date.parse('2026-11-23T10:59:59Z'));
  await ask(4);
  await peakIs('day', 5);
  clock.set(Date.parse('2026-11-23T11:00:59Z'));
  await ask(3);
  await peakIs('hour', 6);
  await peakIs('day', 6);
  // What another process counted in the last second of a minute, when this one was already in the next.
  clock.set(Date.parse('2026-11-23T11:01:00Z'));
  await ask(1);
  await log().write();
  clock.set(Date.parse('2026-11-23T11:00:59.9Z'));
  await ask(1);
  await log().write();
  await ask(1);
  await peakIs('hour', 8);
  await peakIs('day', 8);
  // It has ended once there is a minute in between.
  clock.set(Date.parse('2026-11-23T11:03:00Z'));
  await ask(1);
  await log().write();
  clock.set(Date.parse('2026-11-23T11:02:59Z'));
  await ask(9);
  await peakIs('hour', 9);
  await peakIs('day', 9);
});

it('stores every write, and one of twenty reads beyond a hundred thousand a day', async () => {
  const [row] = (await database.query("select r.*, r.at::text as at from requests r where operation = 'getMe' limit 1"))
    .rows as [Json];
  const org = '0197a000-0000-7000-8000-00000000000a';
  const add = (isRead: boolean) => log().add({ ...row, sampled: false, org_id: org } as LoggedRequest, isRead);
  const waiting = () => (log() as unknown as { waiting: Json[] }).waiting.filter(({ org_id: id }) => id === org);
  // As if an organization had read that much today, which starts with its first request.
  add(true);
  (log() as unknown as { waiting: Json[] }).waiting = [];
  (log() as unknown as { reads: Map<string, number> }).reads.set(org, 100_000);
  for (let n = 0; n < 40; n += 1) add(true);
  for (let n = 0; n < 3; n += 1) add(false);
  expect(waiting().map(({ sampled }) => sampled)).toEqual([true, true, false, false, false]);
  (log() as unknown as { waiting: Json[] }).waiting = [];
  (log() as unknown as { counted: Map<string, Json> }).counted.clear();
});

it('drops entries that it cannot hold instead of slowing down requests', async () => {
  const inside = log() as unknown as { waiting: Json[]; counted: Map<string, Json> };
  const [row] = (await database.query("select * from requests where operation = 'getMe' limit 1")).rows as [Json];
  inside.waiting = Array.from({ length: 20_000 }, () => row);
  const answer = await tenant.api.get('/me', { 'x-request-id': 'forgotten' });
  expect(answer.status).toBe(200);
  expect(inside.waiting.length).toBeLessThanOrEqual(20_000);
  inside.waiting = [];
  inside.counted.clear();
});

it('shows a request for seven days, and deletes its day before it is used again', async () => {
  clock.set('2031-03-10T12:00:00Z');
  await tenant.api.get('/me', { 'x-request-id': 'of the tenth' });
  await log().write();
  const count = async () => (await database.query("select 1 from requests where request_id = 'of the tenth'")).rowCount;
  clock.set('2031-03-17T11:59:59Z');
  expect((await tenant.api.get('/requests/of%20the%20tenth')).status).toBe(200);
  clock.set('2031-03-17T12:00:01Z');
  expect((await tenant.api.get('/requests/of%20the%20tenth')).status).toBe(404);
  await performDue(tenant.service.app.get(RetentionService));
  expect(await count()).toBe(1);
  clock.set('2031-03-18T00:00:00Z');
  await performDue(tenant.service.app.get(RetentionService));
  expect(await count()).toBe(0);
});
