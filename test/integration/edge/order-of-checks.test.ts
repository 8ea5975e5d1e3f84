import { absentId, keyWith } from '../../support/factories.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import type { Api } from '../../support/api.js';
import { type Service, startApp } from '../../support/start-app.js';

/** A request with several errors is rejected for the first one (contract, Order). */
let service: Service;
let api: Api;
let reader: Api;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
  reader = (await keyWith(api, { scopes: ['tasks:read'] })).api;
});
afterAll(() => service.close());

const stranger = 'sk_live_nobody_knows_this_key_0123456789';
const remaining = ({ headers }: { headers: Headers }): number => Number(headers.get('x-ratelimit-remaining'));

describe('authentication comes before', () => {
  it.each([
    ['an unknown path', 'GET', '/nowhere', undefined],
    ['a wrong method', 'PUT', '/tasks', undefined],
    ['a missing scope', 'POST', '/tasks', { name: 'x' }],
    ['a body that is not JSON', 'POST', '/tasks', '{'],
    ['a missing field', 'POST', '/tasks', {}],
    ['a path that cannot be decoded', 'GET', '/tasks/%ZZ', undefined],
  ])('%s', async (_, method, path, body) => {
    expectEnvelope(await api.as(stranger).send(method, path, body), refusals.unauthorized);
    expectEnvelope(await api.as(undefined).send(method, path, body), refusals.unauthorized);
  });
});

describe('the request rate is counted before', () => {
  it.each([
    ['an unknown path', 404, 'GET', '/nowhere', undefined],
    ['a wrong method', 404, 'PUT', '/tasks', undefined],
    ['a missing scope', 403, 'POST', '/tasks', { name: 'x' }],
    ['a body that is not JSON', 400, 'POST', '/tasks', '{'],
    ['a path that cannot be decoded', 400, 'GET', '/tasks/%ZZ', undefined],
    ['a missing record', 404, 'GET', `/tasks/${absentId('task')}`, undefined],
  ])('%s', async (_, status, method, path, body) => {
    const credential = status === 403 ? reader : api;
    const before = await credential.get('/tasks?limit=1');
    const refused = await credential.send(method, path, body);
    expect(refused.status).toBe(status);
    const sameMinute = refused.headers.get('x-ratelimit-reset') === before.headers.get('x-ratelimit-reset');
    expect(remaining(refused)).toBe(sameMinute ? remaining(before) - 1 : 59_999);
  });
});

describe('the route comes before the scope', () => {
  it('returns 404 for an unknown path, whatever the key may do', async () => {
    expectEnvelope(await reader.post('/taskz', { name: 'x' }), refusals.absent);
  });
});

describe('the scope comes before', () => {
  it.each([
    ['a body that is not JSON', '/tasks', '{'],
    ['a body of another media type', '/tasks', 'name=x'],
    ['a missing field', '/tasks', {}],
    ['a missing record', `/tasks/${absentId('task')}/complete`, undefined],
    ['an invalid id', '/tasks/none/complete', undefined],
  ])('%s', async (_, path, body) => {
    expectEnvelope(await reader.post(path, body, { 'content-type': 'application/json' }), refusals.forbidden);
  });

  it('a bad Idempotency-Key', async () => {
    expectEnvelope(await reader.post('/tasks', { name: 'x' }, { 'idempotency-key': ' ' }), refusals.forbidden);
  });
});

describe('the body comes before validation', () => {
  it('reports that the body is not JSON, and not an unexpected query', async () => {
    const reply = await api.post('/tasks?colour=red', '{');
    expectEnvelope(reply, refusals.invalid);
    expect(reply.body.error.details.issues).toEqual([{ path: [], message: 'The body is not valid JSON.' }]);
  });
});

describe('validation comes before', () => {
  it('a bad Idempotency-Key', async () => {
    const reply = await api.post('/tasks', {}, { 'idempotency-key': ' ' });
    expect(reply.body.error.details.issues[0].path).toEqual(['name']);
  });

  it('a key that another request used', async () => {
    await api.post('/tasks', { name: 'First' }, { 'idempotency-key': 'order-1' });
    expectEnvelope(await api.post('/tasks', {}, { 'idempotency-key': 'order-1' }), refusals.invalid);
  });

  it('a malformed id', async () => {
    expectEnvelope(await api.patch('/tasks/none', { name: 7 }), refusals.invalid);
  });

  it('a missing record', async () => {
    expectEnvelope(await api.patch(`/tasks/${absentId('task')}`, { name: '' }), refusals.invalid);
  });
});

describe('idempotency comes before the handler', () => {
  it('returns 422 for another request, although its record is absent', async () => {
    await api.post('/tasks', { name: 'First' }, { 'idempotency-key': 'order-2' });
    const reply = await api.post(`/tasks/${absentId('task')}/complete`, undefined, { 'idempotency-key': 'order-2' });
    expectEnvelope(reply, refusals.inapplicable);
  });
});
