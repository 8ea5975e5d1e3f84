import type { Api, Json } from '../../support/api.js';
import { issuePaths } from '../../support/envelope.js';
import { feedSettled } from '../../support/feed.js';
import { keyWith, propertyOf, taskOf } from '../../support/factories.js';
import { clock } from '../../support/clock.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());
afterEach(() => clock.restore());

interface Read {
  events: Json[];
  cursor: string;
}

/** Everything after a cursor, until a page is not full. */
async function readAll(from: Api, query = '', cursor?: string): Promise<Read> {
  await feedSettled(service);
  const { status, body } = await from.get(`/events?limit=100${query}${cursor ? `&cursor=${cursor}` : ''}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const next = body.meta.pagination.nextCursor as string;
  if (body.data.length < 100) return { events: body.data, cursor: next };
  const rest = await readAll(from, query, next);
  return { events: [...body.data, ...rest.events], cursor: rest.cursor };
}

const end = async (from = api, query = ''): Promise<string> => (await readAll(from, query)).cursor;
const only = async (taskId: string): Promise<Json[]> => (await readAll(api, `&subject=${taskId}`)).events;

describe('listEvents', () => {
  it('returns what one request caused, and nothing of others', async () => {
    const headers = { 'x-request-id': 'night-job-7' };
    const { id } = (await api.post('/tasks', { name: 'Sweep' }, headers)).body.data;
    await api.patch(`/tasks/${id}`, { priority: 'high' }, headers);
    await api.patch(`/tasks/${id}`, { priority: 'low' });
    const { events } = await readAll(api, '&requestId=night-job-7');
    expect(events.map(({ type, subject }) => [type, subject.id])).toEqual([
      ['task.created', id],
      ['task.updated', id],
    ]);
    expect((await readAll(service.api, '&requestId=night-job-8')).events).toEqual([]);
  });

  it('returns what happened to a task, in order and numbered without a gap', async () => {
    const id = await taskOf(api);
    await api.patch(`/tasks/${id}`, { priority: 'high' });
    await api.post(`/tasks/${id}/start`);
    await api.post(`/tasks/${id}/comments`, { text: 'Nearly done' });
    await api.post(`/tasks/${id}/complete`);
    const events = await only(id);
    expect(events.map(({ type, sequence }) => [sequence, type])).toEqual([
      [1, 'task.created'],
      [2, 'task.updated'],
      [3, 'task.started'],
      [4, 'task.commented'],
      [5, 'task.completed'],
    ]);
    expect(events[1]).toEqual({
      id: expect.stringMatching(/^event_[0-9a-f]{32}$/),
      type: 'task.updated',
      sequence: 2,
      subject: { type: 'task', id },
      actor: {
        type: 'member',
        id: expect.stringMatching(/^member_/),
        credential: { kind: 'api-key', id: expect.stringMatching(/^key_/) },
      },
      data: expect.objectContaining({ id, name: 'Change the linen', priority: 'high', version: 2 }),
      occurredAt: expect.stringMatching(/Z$/),
    });
  });

  it('starts with the oldest, and its cursor continues from its position, at the end too', async () => {
    const cursor = await end();
    const empty = await readAll(api, '', cursor);
    expect(empty.events).toEqual([]);
    expect(empty.cursor).toEqual(expect.any(String));
    const [first, second] = [await taskOf(api), await taskOf(api)];
    await feedSettled(service);
    const page = (await api.get(`/events?limit=1&cursor=${empty.cursor}`)).body;
    expect(page.data.map(({ subject }: Json) => subject.id)).toEqual([first]);
    const rest = await readAll(api, '', page.meta.pagination.nextCursor);
    expect(rest.events.map(({ subject }) => subject.id)).toEqual([second]);
  });

  it('filters by types, and moves its cursor past filtered events', async () => {
    const cursor = await end(api, '&types=task.started,task.cancelled');
    const [a, b] = [await taskOf(api), await taskOf(api)];
    await api.post(`/tasks/${a}/start`);
    await api.post(`/tasks/${b}/cancel`);
    const { events } = await readAll(api, '&types=task.started,task.cancelled', cursor);
    expect(events.map(({ type, subject }) => [type, subject.id])).toEqual([
      ['task.started', a],
      ['task.cancelled', b],
    ]);
  });

  it.each(['/events', '/events/stream'])('rejects unknown types of events: %s', async (path) => {
    for (const unknown of ['task.eaten', '*']) {
      const reply = await api.get(`${path}?types=task.created,${unknown}`);
      expect([reply.status, issuePaths(reply)]).toEqual([400, ['types.1']]);
    }
  });

  it('rejects a cursor of other filters', async () => {
    const cursor = await end();
    expect((await api.get(`/events?types=task.created&cursor=${cursor}`)).status).toBe(400);
  });

  it('shows a restricted credential only the events of its properties', async () => {
    const [mine, other] = [await propertyOf(api), await propertyOf(api)];
    const restricted = (await keyWith(api, { propertyIds: [mine] })).api;
    const cursor = await end(restricted);
    const [here] = [
      await taskOf(api, { propertyId: mine }),
      await taskOf(api, { propertyId: other }),
      await taskOf(api),
    ];
    await api.patch(`/properties/${mine}`, { name: 'Mine' });
    await api.patch(`/properties/${other}`, { name: 'Other' });
    const { events } = await readAll(restricted, '', cursor);
    expect(events.map(({ type, subject }) => [type, subject.id])).toEqual([
      ['task.created', here],
      ['property.updated', mine],
    ]);
    expect((await readAll(restricted, `&subject=${other}`)).events).toEqual([]);
  });

  it('deletes events after 30 days', async () => {
    const id = await taskOf(api);
    clock.advance(30 * 24 * 60 * 60_000 - 60_000);
    expect(await only(id)).toHaveLength(1);
    clock.advance(2 * 60_000);
    expect(await only(id)).toEqual([]);
  });

  it('needs events:read', async () => {
    const { api: unscoped } = await keyWith(api, { scopes: ['tasks:read'] });
    expect((await unscoped.get('/events')).status).toBe(403);
    expect((await unscoped.get('/events/stream')).status).toBe(403);
  });

  it('excludes rejected and replayed requests from the feed', async () => {
    const id = await taskOf(api);
    await api.post(`/tasks/${id}/reopen`);
    const key = { 'idempotency-key': 'once' };
    await api.post(`/tasks/${id}/start`, undefined, key);
    await api.post(`/tasks/${id}/start`, undefined, key);
    expect((await only(id)).map(({ type }) => type)).toEqual(['task.created', 'task.started']);
  });
});
