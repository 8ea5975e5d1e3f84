import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

const once = { 'idempotency-key': 'clean-12' };

it('returns the first response to a retry and creates nothing', async () => {
  const first = await service.api.post('/tasks', { name: 'Clean' }, once);
  const retry = await service.api.post('/tasks', { name: 'Clean' }, once);
  expect(first.status).toBe(201);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect([retry.status, retry.text, retry.headers.get('idempotent-replayed')]).toEqual([201, first.text, 'true']);
  expect((await service.api.get('/tasks')).body.data).toHaveLength(1);
});

it('rejects the key for another request', async () => {
  await service.api.post('/tasks', { name: 'Clean' }, once);
  const other = await service.api.post('/tasks', { name: 'Paint' }, once);
  expect([other.status, other.body.error.type]).toEqual([422, 'business_rule_error']);
});

it('keeps an error that a retry would get again, without what the handler wrote before it', async () => {
  const late = { name: 'Clean', canStartAt: '2026-03-02T10:00:00Z', dueAt: '2026-03-01T10:00:00Z' };
  const headers = { 'idempotency-key': 'too-late' };
  const first = await service.api.post('/tasks', late, headers);
  const retry = await service.api.post('/tasks', late, headers);
  expect([first.status, first.body.error.details.key]).toEqual([400, 'TASK_DUE_BEFORE_START']);
  expect([retry.text, retry.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  expect(first.body.error.message).toMatch(/send the request with a new key\.$/);
});
