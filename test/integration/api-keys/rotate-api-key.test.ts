import pg from 'pg';
import { uuidIn } from '#persistence';
import { clock } from '../../support/clock.js';
import { until } from '../../support/feed.js';
import { waitingForLocks } from '../../support/locks.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const hour = 3_600_000;

async function newKey(fields: object = {}) {
  const scopes = ['tasks:read', 'api-keys:read'];
  const { body } = await service.api.post('/api-keys', { name: 'Sync', scopes, ratePerMinute: 2_000, ...fields });
  return body.data as { id: string; key: string; memberId: string; scopes: string[] };
}

const statusWith = async (key: string) => (await service.api.as(key).get('/me')).status;

describe('rotateApiKey', () => {
  it('succeeds in turn when a key rotates itself twice at the same time', async () => {
    const { id, key } = await newKey({ scopes: ['api-keys:read', 'api-keys:manage'] });
    const itself = service.api.as(key);
    await itself.get('/me');
    const lastUse = async () => (await itself.get(`/api-keys/${id}`)).body.data.lastUsedAt as unknown;
    await until(lastUse, (at) => at !== null);
    const blocker = new pg.Client({ connectionString: service.database.url });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('select 1 from api_keys where id = $1 for no key update', [uuidIn(id)]);
    const both = Promise.all([1, 2].map(() => itself.post(`/api-keys/${id}/rotate`, {})));
    await until(
      () => blocker.query(waitingForLocks),
      ({ rowCount }) => (rowCount ?? 0) >= 2,
    );
    await blocker.query('commit');
    await blocker.end();
    expect((await both).map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('creates a successor with the same permissions, and expires the old key a day later', async () => {
    clock.set('2026-03-01T12:00:00Z');
    const old = await newKey();
    const { status, body } = await service.api.post(`/api-keys/${old.id}/rotate`, {});
    expect(status).toBe(200);
    const { name, memberId, scopes, ratePerMinute, expiresAt } = body.data;
    expect({ name, memberId, scopes, ratePerMinute, expiresAt }).toEqual({
      name: 'Sync',
      memberId: old.memberId,
      scopes: old.scopes,
      ratePerMinute: 2_000,
      expiresAt: null,
    });
    expect(body.data.key).not.toBe(old.key);
    clock.advance(23 * hour);
    expect([await statusWith(old.key), await statusWith(body.data.key)]).toEqual([200, 200]);
    clock.advance(hour);
    expect([await statusWith(old.key), await statusWith(body.data.key)]).toEqual([401, 200]);
  });

  it('expires the old key after the requested overlap, and never later than before', async () => {
    clock.set('2026-03-01T12:00:00Z');
    const soon = await newKey();
    await service.api.post(`/api-keys/${soon.id}/rotate`, { overlapSeconds: 0 });
    expect(await statusWith(soon.key)).toBe(401);

    const expiring = await newKey({ expiresAt: '2026-03-01T13:00:00Z' });
    const { body } = await service.api.post(`/api-keys/${expiring.id}/rotate`, { overlapSeconds: 604_800 });
    expect(body.data.expiresAt).toBe('2026-03-01T13:00:00.000Z');
    clock.advance(hour);
    expect(await statusWith(expiring.key)).toBe(401);
  });

  it.each([-1, 604_801, 1.5, '60'])('rejects an overlap of %j', async (overlapSeconds) => {
    const { id } = await newKey();
    expect((await service.api.post(`/api-keys/${id}/rotate`, { overlapSeconds })).status).toBe(400);
  });

  it('is rejected for a key that was revoked or has expired', async () => {
    clock.set('2026-03-01T12:00:00Z');
    const revoked = await newKey();
    await service.api.post(`/api-keys/${revoked.id}/revoke`);
    const expired = await newKey({ expiresAt: '2026-03-01T12:30:00Z' });
    clock.advance(hour);
    for (const { id } of [revoked, expired]) {
      const { status, body } = await service.api.post(`/api-keys/${id}/rotate`, {});
      expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'API_KEY_ENDED' });
    }
  });

  it('is rejected for a key that was rotated before, and names its successor', async () => {
    const old = await newKey();
    const { body: first } = await service.api.post(`/api-keys/${old.id}/rotate`, {});
    expect((await service.api.get(`/api-keys/${old.id}`)).body.data.successorId).toBe(first.data.id);
    const { status, body } = await service.api.post(`/api-keys/${old.id}/rotate`, {});
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'API_KEY_ROTATED' });
    expect(body.error.message).toContain(first.data.id);
    const { status: again, body: second } = await service.api.post(`/api-keys/${first.data.id}/rotate`, {});
    expect({ status: again, expiresAt: second.data.expiresAt }).toEqual({ status: 200, expiresAt: null });
  });

  it('gives nobody a key with more permissions than they have', async () => {
    const old = await newKey();
    const { key } = await newKey({ scopes: ['api-keys:manage'] });
    const { status, body } = await service.api.as(key).post(`/api-keys/${old.id}/rotate`, {});
    expect(status).toBe(403);
    expect(body.error.message).toContain('tasks:read');

    const property = await service.api.post('/properties', { name: 'Lake House', timezone: 'Europe/Zurich' });
    const limited = await newKey({
      scopes: ['api-keys:manage', 'api-keys:read', 'tasks:read'],
      propertyIds: [property.body.data.id],
    });
    expect((await service.api.as(limited.key).post(`/api-keys/${old.id}/rotate`, {})).status).toBe(403);
  });

  it('is 404 for a key that does not exist', async () => {
    expect((await service.api.post(`/api-keys/key_${'0'.repeat(32)}/rotate`, {})).status).toBe(404);
  });
});
