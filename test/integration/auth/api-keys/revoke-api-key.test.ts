import { clock } from '../../../support/clock.js';
import { doorNames } from '../../../support/doors.js';
import { absentId, keyWith } from '../../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

describe.each(doorNames)('revokeApiKey over %s', (door) => {
  const revoke = (keyId: string, key = tenant.key) => tenant.doors[door].as(key).ask('revokeApiKey', { keyId });

  it('ends a key at the next request, and records when', async () => {
    const { id, api } = await keyWith(tenant.api);
    expect((await api.get('/me')).status).toBe(200);
    clock.set('2030-05-05T12:00:00Z');
    const { status, body } = await revoke(id);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ id, status: 'revoked', revokedAt: '2030-05-05T12:00:00.000Z', version: 2 });
    expect(body.data).not.toHaveProperty('key');
    expect((await api.get('/me')).status).toBe(401);
  });

  it('changes nothing the second time', async () => {
    const { id } = await keyWith(tenant.api);
    const first = await revoke(id);
    expect((await revoke(id)).body.data).toEqual(first.body.data);
  });

  it('requires the scope', async () => {
    const { id, api } = await keyWith(tenant.api);
    expect((await revoke(id, tenant.reader.key)).status).toBe(403);
    expect((await api.get('/me')).status).toBe(200);
  });

  it('revokes a key that has more permissions than the caller, who cannot rotate it', async () => {
    const stronger = await keyWith(tenant.api);
    const { key } = await keyWith(tenant.api, { scopes: ['api-keys:manage'] });
    const rotated = await tenant.doors[door].as(key).ask('rotateApiKey', { keyId: stronger.id });
    expect(rotated.status).toBe(403);
    expect((await stronger.api.get('/me')).status).toBe(200);
    expect((await revoke(stronger.id, key)).status).toBe(200);
    expect((await stronger.api.get('/me')).status).toBe(401);
  });

  it('lets a key revoke itself', async () => {
    const { id, key, api } = await keyWith(tenant.api);
    expect((await revoke(id, key)).status).toBe(200);
    expect((await api.get('/me')).status).toBe(401);
  });
});

it('rejects a stale If-Match', async () => {
  const { id, api } = await keyWith(tenant.api);
  const stale = await tenant.api.post(`/api-keys/${id}/revoke`, undefined, { 'if-match': '"7"' });
  expect([stale.status, stale.body.error.code]).toEqual([409, 'VERSION_MISMATCH']);
  expect((await api.get('/me')).status).toBe(200);
});

it('returns the same bytes for another organization’s key as for an absent one, and does not change it', async () => {
  const foreign = (await tenant.stranger.get('/api-keys')).body.data[0].id as string;
  const [one, other] = [
    await tenant.api.post(`/api-keys/${foreign}/revoke`),
    await tenant.api.post(`/api-keys/${absentId('key')}/revoke`),
  ];
  expect(one.status).toBe(404);
  expect(butForRequestId(one)).toEqual(butForRequestId(other));
  expect((await tenant.stranger.get('/me')).status).toBe(200);
});
