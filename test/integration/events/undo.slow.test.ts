import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Api, Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { until } from '../../support/feed.js';
import { startReceiver } from '../../support/receiver.js';
import { doorNames } from '../../support/doors.js';
import { absentId, keyWith, propertyOf, pushedBy, stayOf, taskOf } from '../../support/factories.js';
import { day, hotelOf } from '../../support/hotel.js';
import { mcpOf } from '../../support/mcp.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { dumpOf } from '../../support/dump.js';
import { turnsGivenUp } from '../../support/turns.js';

let world: OAuthWorld;
let api: Api;
beforeAll(async () => {
  world = await openWorld({ OUTBOUND_ALLOW: '127.0.0.1' });
  api = (await keyWith(world.service.api)).api;
});
afterAll(() => world.close());
afterEach(() => clock.restore());

const dayMs = 86_400_000;
const undo = (input: object, as = api, query = '') => as.post(`/changes/undo${query}`, input);
const statusOf = async (taskId: string): Promise<string> =>
  (await api.get(`/tasks/${taskId}`)).body.data.status as string;
const entriesOf = async (targetId: string): Promise<Json[]> =>
  (await api.get(`/audit-entries?targetId=${targetId}`)).body.data as Json[];
const started = async (as = api): Promise<{ taskId: string; requestId: string }> => {
  const taskId = await taskOf(api);
  return { taskId, requestId: (await as.post(`/tasks/${taskId}/start`)).body.meta.requestId as string };
};
const reasons = ({ status, body }: { status: number; body: Json }): [number, string, string[]] => [
  status,
  body.error.code as string,
  body.error.details.entries.map(({ reason }: Json) => reason as string) as string[],
];

it.each(doorNames)(
  'a request is undone over %s, once, and the audit trail names the entry that did it',
  async (door) => {
    const { taskId, requestId } = await started();
    const [change] = await entriesOf(taskId);
    const ask = async (): Promise<Json> =>
      door === 'rest'
        ? (await undo({ requestId })).body
        : (await mcpOf(world.service.url, api.key).call('undoChanges', { requestId })).body;
    const { data, meta } = await ask();
    expect(data).toEqual({
      undone: [{ auditEntryId: change.id, target: { type: 'task', id: taskId } }],
      notUndoable: [],
    });
    expect(meta.undoable).toBe(true);
    expect(await statusOf(taskId)).toBe('pending');
    const [entry] = await entriesOf(taskId);
    expect([entry.action, entry.undoes]).toEqual(['undoChanges', change.id]);
    expect((await ask()).error.code).toBe('NOT_UNDOABLE');
  },
);

it('a request is identified by its log id, and by its X-Request-Id if that is the only one', async () => {
  const chosen = { 'x-request-id': 'twice' };
  const [one, other] = [await taskOf(api), await taskOf(api)];
  for (const taskId of [one, other]) await api.post(`/tasks/${taskId}/start`, undefined, chosen);
  const { status, body } = await undo({ requestId: 'twice' });
  expect([status, body.error.code]).toEqual([409, 'REQUEST_ID_AMBIGUOUS']);
  const [{ logId }] = await entriesOf(one);
  expect(body.error.details.requestIds).toContain(logId);
  expect((await undo({ requestId: logId })).status).toBe(200);
  expect([await statusOf(one), await statusOf(other)]).toEqual(['pending', 'in_progress']);
});

it('nothing is undone if anything has changed since, and the reason names who changed it and when', async () => {
  const taskIds = [await taskOf(api), await taskOf(api)];
  const { requestId } = (await api.post('/tasks/bulk', { taskIds, action: 'start' })).body.meta;
  const other = (await keyWith(world.service.api)).api;
  await other.post(`/tasks/${taskIds[0]}/complete`);
  const [{ actor, createdAt }] = await entriesOf(taskIds[0] as string);
  const answer = reasons(await undo({ requestId }));
  expect(answer.slice(0, 2)).toEqual([409, 'NOT_UNDOABLE']);
  expect(answer[2]).toEqual([`The field status was changed since, by ${actor.id} at ${createdAt}.`]);
  expect(await statusOf(taskIds[1] as string)).toBe('in_progress');
});

it('and does not name them to a credential that sees only other properties', async () => {
  const [mine, other] = [await propertyOf(api), await propertyOf(api)];
  const limited = (await keyWith(world.service.api, { propertyIds: [mine] })).api;
  const taskId = await taskOf(limited, { propertyId: mine });
  const { requestId } = (await limited.post(`/tasks/${taskId}/start`)).body.meta;
  await api.patch(`/tasks/${taskId}`, { propertyId: other });
  await api.post(`/tasks/${taskId}/complete`);
  const answer = reasons(await undo({ requestId }, limited));
  expect(answer.slice(0, 2)).toEqual([409, 'NOT_UNDOABLE']);
  expect(answer[2]).toEqual(['It has changed since.']);
});

it('of two simultaneous undos of the same change, one succeeds', async () => {
  const { requestId, taskId } = await started();
  const answers = await Promise.all([undo({ requestId }), undo({ requestId }), undo({ requestId })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect((await entriesOf(taskId)).filter(({ undoes }) => undoes)).toHaveLength(1);
});

it('requests of others, records of others and changes elsewhere are not found', async () => {
  const { taskId, requestId } = await started();
  const [{ id, logId, actor }] = await entriesOf(taskId);
  const other = (await keyWith(world.service.api)).api;
  const sibling = (await keyWith(world.service.api, { memberId: actor.id })).api;
  const limited = (await keyWith(world.service.api, { propertyIds: [await propertyOf(api)] })).api;
  const alpine = await world.ops(`api-key create --org ${world.alpine} --name k --scopes *`);
  const foreign = world.rest(alpine.key as string);
  for (const as of [other, sibling, foreign])
    for (const asked of [requestId, logId]) expect((await undo({ requestId: asked }, as)).status).toBe(404);
  for (const as of [limited, foreign]) expect((await undo({ auditEntryIds: [id] }, as)).status).toBe(404);
  expect((await undo({ auditEntryIds: [id, absentId('audit')] })).status).toBe(404);
  for (const digit of ['0', 'f']) expect((await undo({ requestId: `request_${digit.repeat(32)}` })).status).toBe(404);
  expect(await statusOf(taskId)).toBe('in_progress');
});

it('a request of another application is not found, not even by the same person', async () => {
  const person = await world.person('owner');
  const asked = { scopes: ['tasks:write', 'changes:undo'] };
  const [one, other] = [await world.tokensOf(person, asked), await world.tokensOf(person, asked)];
  const by = world.rest(one.access_token);
  const requestId = (await by.post(`/tasks/${await taskOf(by)}/start`)).body.meta.requestId as string;
  expect((await undo({ requestId }, world.rest(other.access_token))).status).toBe(404);
  expect((await undo({ requestId }, by)).status).toBe(200);
});

it('an undo needs the permission of what it undoes', async () => {
  const { taskId } = await started();
  const [{ id }] = await entriesOf(taskId);
  const { api: undoer } = await keyWith(world.service.api, { scopes: ['changes:undo', 'tasks:read'] });
  const { status, body } = await undo({ auditEntryIds: [id] }, undoer);
  expect([status, body.error.message]).toEqual([
    403,
    'Missing permission tasks:write for undoChanges: what it would undo needs it.',
  ]);
  expect(await statusOf(taskId)).toBe('in_progress');
});

it('everything that an application did since a time is undone together, and nothing that others did', async () => {
  const person = await world.person('owner');
  const { access_token, client } = await world.tokensOf(person);
  const application = world.rest(access_token);
  const key = await world.ops(`api-key create --org ${world.lakeside} --name k --scopes *`);
  const owner = world.rest(key.key as string);
  const since = new Date().toISOString();
  const [one, other] = [await taskOf(owner), await taskOf(owner)];
  await application.post(`/tasks/${one}/start`);
  await application.post(`/tasks/${one}/complete`);
  await owner.post(`/tasks/${other}/start`);
  const asked = { applicationId: client.client_id, since };
  expect((await undo({ ...asked, since: new Date(Date.now() - dayMs - 60_000).toISOString() }, owner)).status).toBe(
    400,
  );
  const { status, body } = await undo(asked, owner);
  expect([status, body.data?.undone.length]).toEqual([200, 2]);
  expect((await owner.get(`/tasks/${one}`)).body.data.status).toBe('pending');
  expect((await owner.get(`/tasks/${other}`)).body.data.status).toBe('in_progress');
  expect((await undo(asked, owner)).status).toBe(404);
});

it('a cancelled stay is reinstated if its nights are free, and otherwise nothing of it is', async () => {
  const { stay, rooms, propertyId } = await hotelOf(api, { Double: ['101'] });
  const { id } = await stay(1, 3, '101');
  const { requestId } = (await api.post(`/reservations/${id}/cancel`, { reason: 'Quentin is ill' })).body.meta;
  const next = await stay(1, 3, '101');
  expect((await undo({ requestId })).body.error.details.entries[0].reason).toMatch(/have these nights/);
  await api.post(`/reservations/${next.id}/cancel`);
  expect((await undo({ requestId })).status).toBe(200);
  const { data } = (await api.get(`/reservations/${id}`)).body;
  expect([data.status, data.unitId, data.propertyId]).toEqual(['confirmed', rooms['101'], propertyId]);
});

it('saves by reference of another system are undone', async () => {
  const connection = `/connections/${await pushedBy(api)}`;
  await api.put(`${connection}/properties/H1`, { name: 'Hotel', timezone: 'UTC' });
  const stay = { propertyRef: 'H1', checkInDate: day(1), checkOutDate: day(3) };
  const save = async (adults: number): Promise<Json> =>
    (await api.put(`${connection}/reservations/R1`, { ...stay, guestCounts: { adults } })).body;
  await save(1);
  const { data, meta } = await save(2);
  expect((await undo({ requestId: meta.requestId })).status).toBe(200);
  expect((await api.get(`/reservations/${data.id}`)).body.data.guestCounts.adults).toBe(1);
});

it('what another system changes in its own stay is not undone', async () => {
  const propertyId = await propertyOf(api);
  const simulator = { provider: 'simulator', kind: 'pms', name: 'PMS', credentials: {}, settings: { propertyId } };
  const { data } = (await api.post('/connections', simulator)).body;
  await api.post(`/connections/${data.id}/sync`);
  const stays = (await api.get(`/reservations?propertyId=${propertyId}`)).body.data as Json[];
  const moved = stays.find(({ confirmationCode }) => confirmationCode === 'SIM-1002') as Json;
  const [entry] = await entriesOf(moved.id as string);
  const [status, code, [reason]] = reasons(await undo({ auditEntryIds: [entry?.id] }));
  expect([status, code]).toEqual([409, 'NOT_UNDOABLE']);
  expect(reason).toMatch(/arrivalAt, departureAt can only be changed in the system/);
  expect((await api.get(`/reservations/${moved.id}`)).body.data.checkInDate).toBe(moved.checkInDate);
});

it('an undo reverses up to 500 changes, and none if there are more', async () => {
  const { access_token, client } = await world.tokensOf(await world.person('owner'));
  const application = world.rest(access_token);
  const since = new Date().toISOString();
  const rows = await manyTasks();
  const start = (taskIds: string[]) => application.post('/tasks/bulk', { taskIds, action: 'start' });
  expect((await start(rows.slice(0, 500))).status).toBe(200);
  await start(rows.slice(500, 501));
  const key = await world.ops(`api-key create --org ${world.lakeside} --name k --scopes *`);
  const owner = world.rest(key.key as string);
  const asked = { applicationId: client.client_id, since };
  const refused = await undo(asked, owner);
  expect([refused.status, refused.body.error.code]).toEqual([409, 'TOO_MANY_CHANGES']);
  expect((await application.get(`/tasks/${rows[500]}`)).body.data.status).toBe('in_progress');
  const [{ id }] = (await owner.get(`/audit-entries?targetId=${rows[0]}`)).body.data as Json[];
  expect((await undo({ auditEntryIds: Array.from({ length: 501 }, () => id) }, owner)).status).toBe(400);
  expect((await owner.get(`/tasks/${rows[0]}`)).body.data.status).toBe('in_progress');
}, 60_000);

/** Tasks of Lakeside, more than one request changes. */
async function manyTasks(): Promise<string[]> {
  const rows = await world.service.app.get(SystemDatabase).rows(
    `insert into tasks (org_id, id, name, type, status, priority, assignee_ids, checklist, metadata, external_refs, source,
                        version, created_at, updated_at)
     select $1, uuidv7(), 'Task ' || n, 'other', 'pending', 'normal', '{}', '[]', '{}', '[]', 'manual', 1, now(), now()
       from generate_series(1, 501) n returning id`,
    [uuidIn(world.lakeside)],
  );
  return rows.map(({ id }) => `task_${String(id).replaceAll('-', '')}`);
}

it('what webhook endpoints have received cannot be undone, and the undo reports it', async () => {
  const receiver = await startReceiver();
  const { api: own } = await keyWith(world.service.api);
  const endpoint = { url: receiver.url, eventTypes: ['task.started'] };
  const { id } = (await own.post('/webhook-endpoints', endpoint)).body.data;
  const { requestId } = await started(own);
  await receiver.count(1);
  const { body } = await until(
    () => undo({ requestId }, own, '?dryRun=true'),
    (reply) => reply.body.data.notUndoable.length > 0,
  );
  expect(body.data.notUndoable).toEqual([
    {
      auditEntryId: null,
      target: { type: 'webhook_endpoint', id },
      reason: 'The webhook endpoint has received 1 event about the changes, which cannot be taken back.',
    },
  ]);
  expect((await undo({ requestId }, own)).status).toBe(200);
  await own.delete(`/webhook-endpoints/${id}`);
  await receiver.close();
});

it('a rehearsed undo shows what it would do, and changes nothing', async () => {
  const { taskId, requestId } = await started();
  const { status, body } = await undo({ requestId }, api, '?dryRun=true');
  expect([status, body.meta.effects.map(({ type }: Json) => type as string)]).toEqual([200, ['task.updated']]);
  expect(await statusOf(taskId)).toBe('in_progress');
});

/** How many changes of these records are kept with their values. */
async function keptOf(subjectIds: string[]): Promise<number> {
  const kept = 'select count(*) as count from undo_steps where sealed is not null and subject_id = any($1)';
  const [row] = await world.service.app.get(SystemDatabase).rows(kept, [subjectIds]);
  return row?.count as number;
}

it('previous values are kept encrypted for a week, and those of an erased guest are deleted', async () => {
  const { id } = (await api.post('/guests', { name: 'Quentin Before' })).body.data;
  const propertyId = await propertyOf(api);
  const stay = await stayOf(api, { propertyId, primaryGuest: { id } });
  const named = (await api.patch(`/guests/${id}`, { name: 'Quentin After' })).body.meta;
  const noted = (await api.patch(`/reservations/${stay.id}`, { notes: 'Quentin likes tea' })).body.meta;
  expect((await dumpOf(world.service.database.url)).split('Quentin Before')).toHaveLength(1);
  expect((await api.delete(`/guests/${id}`)).status).toBe(200);
  expect(await keptOf([id, stay.id])).toBe(0);
  for (const { requestId } of [named, noted])
    expect(reasons(await undo({ requestId }))[2]).toEqual(['The guest’s personal data was erased.']);
  const { requestId } = await started();
  clock.advance(7 * dayMs + 11 * 60_000);
  expect((await undo({ requestId })).status).toBe(409);
});

it('an undo yields the event loop between changes', async () => {
  const taskIds = await Promise.all(Array.from({ length: 20 }, () => taskOf(api)));
  const { requestId } = (await api.post('/tasks/bulk', { taskIds, action: 'start' })).body.meta;
  const { result, turns } = await turnsGivenUp(() => undo({ requestId }));
  expect([result.status, result.body.data.undone.length]).toEqual([200, 20]);
  // They are undone, and recorded.
  expect(turns).toBeGreaterThanOrEqual(2 * 20);
});

it('an undo can be undone', async () => {
  const { taskId, requestId } = await started();
  const undone = (await undo({ requestId })).body.meta;
  expect((await undo({ requestId: undone.requestId as string })).status).toBe(200);
  expect(await statusOf(taskId)).toBe('in_progress');
  expect((await undo({ requestId })).status).toBe(200);
  expect(await statusOf(taskId)).toBe('pending');
});

it('an undo needs an approval if any operation does, because it could do the same', async () => {
  const { api: asking, id } = await keyWith(world.service.api);
  const created = await asking.post('/tasks', { name: 'Sweep' });
  const orgId = (await asking.get('/organization')).body.data.id as string;
  await world.ops(`approval-rule add --org ${orgId} --who ${id} --what archiveTask --mode ask`);
  const { status, body } = await undo({ requestId: created.body.meta.requestId }, asking);
  expect([status, body.data.status, body.data.operation]).toEqual([202, 'pending', 'undoChanges']);
  expect((await asking.get(`/tasks/${created.body.data.id}`)).body.data.archivedAt).toBeNull();
});
