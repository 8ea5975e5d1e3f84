import { randomUUID } from 'node:crypto';
import { absentId, keyWith } from '../support/factories.js';
import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
let reader: string;
beforeAll(async () => {
  target = await openTarget();
  reader = (await keyWith(target.api, { scopes: ['tasks:read'] })).key;
});
afterAll(() => target.close());

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.each(doorNames)('ENV over %s', (door) => {
  const refusals = () => [
    target.ask[door]('createTask', {}),
    target.ask[door]('getTask', { taskId: absentId('task') }),
    target.ask[door]('createTask', { name: 'x' }, { key: reader }),
    target.ask[door]('getMe', {}, { key: 'nonsense' }),
  ];

  it('gives every error the type of its status, a code and a message', async () => {
    const shown = (await Promise.all(refusals())).map(({ status, body }) => [status, body.error.type]);
    expect(shown).toEqual([
      [400, 'validation_error'],
      [404, 'not_found_error'],
      [403, 'authorization_error'],
      [401, 'authentication_error'],
    ]);
    for (const { body } of await Promise.all(refusals())) {
      expect(body.error.code).toMatch(/^[A-Z][A-Z0-9_]*$/);
      expect(body.error.message).toMatch(/^[A-Z].+\.$/);
      expect(Object.keys(body).sort()).toEqual(['error', 'meta']);
    }
  });

  it('omits empty details', async () => {
    const [invalid, ...others] = await Promise.all(refusals());
    expect(invalid?.body.error.details).toBeDefined();
    for (const { body } of others) expect(body.error).not.toHaveProperty('details');
  });

  it('lists one issue for each invalid field, with its path', async () => {
    const { body } = await target.ask[door]('createTask', { priority: 'soon', checklist: [{ title: 7 }] });
    const { issues } = body.error.details;
    expect(issues.map(({ path }: { path: unknown[] }) => path).sort()).toEqual([
      ['checklist', 0, 'title'],
      ['name'],
      ['priority'],
    ]);
    for (const issue of issues)
      expect(issue).toEqual({ path: expect.any(Array), message: expect.stringMatching(/\S/) });
  });

  it('names the action that failed', async () => {
    const { body } = await target.ask[door]('createTask', {});
    expect(body.error.details).toMatchObject({ service: 'tasks', method: 'createTask' });
  });

  it('changes the type of a known business rejection, with its key and a sentence that says what to change', async () => {
    const { status, body } = await target.ask[door]('createTask', {
      name: 'x',
      canStartAt: '2030-05-05T10:00:00Z',
      dueAt: '2030-05-04T10:00:00Z',
    });
    expect([status, body.error.type, body.error.code]).toEqual([400, 'validation_error', 'VALIDATION_ERROR']);
    expect(body.error.details.key).toBe('TASK_DUE_BEFORE_START');
    expect(body.error.details).not.toHaveProperty('issues');
    expect(body.error.message).toMatch(/Set dueAt/);
  });

  it('returns the X-Request-Id of the request', async () => {
    for (const input of [{}, { name: 'x' }]) {
      const id = randomUUID();
      const { headers, body } = await target.ask[door]('createTask', input, { headers: { 'x-request-id': id } });
      expect([headers.get('x-request-id'), body.meta.requestId]).toEqual([id, id]);
    }
  });

  it('creates a UUID if the request has none', async () => {
    const replies = await Promise.all([target.ask[door]('getMe'), ...refusals()]);
    for (const { headers, body } of replies) {
      expect(body.meta.requestId).toMatch(uuid);
      expect(headers.get('x-request-id')).toBe(body.meta.requestId);
    }
    expect(new Set(replies.map(({ body }) => body.meta.requestId)).size).toBe(replies.length);
  });

  it('keeps the original request id in a replay', async () => {
    const [idempotencyKey, id] = [randomUUID(), randomUUID()];
    const send = (requestId: string) =>
      target.ask[door]('createTask', { name: 'x' }, { idempotencyKey, headers: { 'x-request-id': requestId } });
    await send(id);
    const again = await send(randomUUID());
    expect([again.headers.get('x-request-id'), again.body.meta.requestId]).toEqual([id, id]);
  });
});
