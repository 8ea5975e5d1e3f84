import { jest } from '@jest/globals';
import { TasksRepository } from '../../src/features/tasks/tasks.repository.js';
import { clock } from '../support/clock.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { absentId, keyWith, propertyOf, taskOf } from '../support/factories.js';
import { foreignKey } from '../support/foreign-key.js';
import { mcpOf } from '../support/mcp.js';
import { serviceClock } from '../support/service-clock.js';
import { startApp } from '../support/start-app.js';
import { doorNames, onlyHere, openTarget, type Target } from '../support/target.js';

let target: Target;
let region: 'us' | 'eu' | 'apac';
beforeAll(async () => {
  target = await openTarget();
  region = (await target.api.get('/me')).body.data.region;
});
afterAll(() => target.close());

describe.each(doorNames)('ERR over %s', (door) => {
  const ask = (...request: Parameters<Target['ask']['REST']>) => target.ask[door](...request);

  it('400 validation_error VALIDATION_ERROR', async () => {
    const { status, body } = await ask('listTasks', { limit: 0 });
    expect({ status, type: body.error.type, code: body.error.code }).toEqual(refusals.invalid);
  });

  it('401 authentication_error UNAUTHORIZED, for each defect of a credential', async () => {
    const own = foreignKey('live', region);
    const revoked = await keyWith(target.api);
    await target.api.post(`/api-keys/${revoked.id}/revoke`);
    const cases = {
      missing: undefined,
      invalid: 'hunter2',
      unknown: own,
      misread: `${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`,
      revoked: revoked.key,
      'of another region': foreignKey('live', region === 'eu' ? 'us' : 'eu'),
      'of another environment': foreignKey('test', region),
    };
    for (const [name, key] of Object.entries(cases)) {
      const reply = await ask('getMe', {}, { key });
      expect(name && reply.headers.get('www-authenticate')).toMatch(/^Bearer /);
      expectEnvelope(reply, refusals.unauthorized);
    }
  });

  it('401 for a key that has expired', async () => {
    const expiresAt = new Date((await serviceClock.read()) + 1_500).toISOString();
    const { key } = await keyWith(target.api, { expiresAt });
    let reply = await ask('getMe', {}, { key });
    expect(reply.status).toBe(200);
    while (reply.status === 200) reply = await ask('getMe', {}, { key });
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(/expired/);
  });

  it('403 authorization_error FORBIDDEN', async () => {
    const { key } = await keyWith(target.api, { scopes: ['tasks:read'] });
    const { status, body } = await ask('createTask', { name: 'x' }, { key });
    expect({ status, type: body.error.type, code: body.error.code }).toEqual(refusals.forbidden);
  });

  it('404 not_found_error NOT_FOUND, for absent records and those of a hidden property', async () => {
    const [here, elsewhere] = [await propertyOf(target.api), await propertyOf(target.api)];
    const { key } = await keyWith(target.api, { propertyIds: [here] });
    const hidden = await taskOf(target.api, { propertyId: elsewhere });
    for (const taskId of [absentId('task'), hidden, 'none']) {
      const { status, body } = await ask('getTask', { taskId }, { key });
      expect({ status, type: body.error.type, code: body.error.code }).toEqual(refusals.absent);
    }
  });

  it('409 conflict_error', async () => {
    const taskId = await taskOf(target.api);
    await ask('completeTask', { taskId });
    const { status, body } = await ask('completeTask', { taskId });
    expect([status, body.error.type, body.error.code]).toEqual([409, 'conflict_error', 'TASK_NOT_OPEN']);
  });

  it('422 business_rule_error PERMANENT_MUTATION_ERROR', async () => {
    const idempotencyKey = crypto.randomUUID();
    await ask('createTask', { name: 'one' }, { idempotencyKey });
    const { status, body } = await ask('createTask', { name: 'two' }, { idempotencyKey });
    expect({ status, type: body.error.type, code: body.error.code }).toEqual(refusals.inapplicable);
  });

  it('changes the type of a known business rejection to validation_error, with details.key', async () => {
    const input = { name: 'x', scopes: ['tasks:read'], expiresAt: '2001-01-01T00:00:00Z' };
    const { status, body } = await ask('createApiKey', input);
    expect({ status, type: body.error.type, code: body.error.code }).toEqual(refusals.invalid);
    expect(body.error.details.key).toBe('API_KEY_EXPIRES_IN_THE_PAST');
  });

  it('429 rate_limit_error RATE_LIMITED', async () => {
    const { key } = await keyWith(target.api, { ratePerMinute: 1_000 });
    // As in limits.test.ts: a busy machine takes seconds for this many requests.
    clock.set(Date.now());
    const replies = await Promise.all(Array.from({ length: 150 }, () => ask('getMe', {}, { key })));
    clock.restore();
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const reply of refused) expectEnvelope(reply, refusals.limited);
  });
});

describe('ERR', () => {
  it('404 for unknown routes, of any method', async () => {
    for (const [method, path] of [
      ['GET', '/nowhere'],
      ['POST', '/tasks/x/fly'],
      ['PUT', '/tasks'],
      ['DELETE', '/me'],
    ]) {
      const reply = await target.api.send(method as string, path as string);
      expect(path).toMatch(/^\//);
      expectEnvelope(reply, refusals.absent);
    }
  });

  it('reports a status that is not in the table as internal_error', async () => {
    const replies = [
      await target.api.get('/mcp'),
      await target.api.post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, { accept: 'text/html' }),
    ];
    expect(replies.map(({ status, body }) => [status, body.error.type])).toEqual([
      [405, 'internal_error'],
      [406, 'internal_error'],
    ]);
    for (const { body } of replies) expect(body.error.code).toMatch(/^[A-Z_]+$/);
  });
});

describe('ERR of the service itself', () => {
  onlyHere('a fault is put into the service')('500 internal_error INTERNAL_ERROR, without the cause', async () => {
    const service = await startApp();
    try {
      jest.spyOn(service.app.get(TasksRepository), 'list').mockRejectedValue(new Error('the secret cause'));
      const [rest, mcp] = [await service.api.get('/tasks'), await mcpOf(service.url, service.key).call('listTasks')];
      expect([rest.status, mcp.isError]).toEqual([500, true]);
      for (const { body } of [rest, mcp]) {
        expect(body).toEqual({
          error: { type: 'internal_error', code: 'INTERNAL_ERROR', message: 'Internal server error' },
          meta: { requestId: expect.any(String) },
        });
      }
    } finally {
      await service.close();
    }
  });
});
