import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { tokensOf } from '../../support/tokens.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterEach(() => clock.restore());
afterAll(() => tenant.close());

describe.each(doorNames)('getMe over %s', (door) => {
  const me = async (key: string, input = {}) => {
    const { status, body } = await tenant.doors[door].as(key).ask('getMe', input);
    expect(status).toBe(200);
    return body.data;
  };

  it("returns an API key's identity and permissions", async () => {
    const { key, id } = await keyWith(tenant.api, {
      name: 'Reporting',
      scopes: ['tasks:read', 'properties:read'],
      propertyIds: [tenant.here],
      ratePerMinute: 6_000,
    });
    const { memberId } = (await tenant.api.get(`/api-keys/${id}`)).body.data;
    expect(await me(key)).toEqual({
      credential: 'api-key',
      organization: { id: expect.stringMatching(/^org_/), name: 'My Organization', requireTwoFactor: false },
      member: { id: memberId, kind: 'machine', name: 'Reporting' },
      region: 'us',
      now: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/),
      timezone: expect.any(String),
      propertyCount: 1,
      scopes: ['properties:read', 'tasks:read'],
      permissions: ['properties:read', 'tasks:read'],
      propertyIds: [tenant.here],
      rateLimit: { perMinute: 6_000, perSecond: 100 },
      hiddenBecause: expect.stringMatching(/^This key does not have .* and \d+ more scopes; .* some properties/),
    });
  });

  it("requires no scope, and returns each caller's own organization", async () => {
    const [mine, theirs] = [await me(tenant.reader.key as string), await me(tenant.stranger.key as string)];
    expect(theirs.organization.name).toBe('Another Organization');
    expect(theirs.organization.id).not.toBe(mine.organization.id);
    expect(mine.propertyIds).toBeNull();
  });

  it('returns the date and the time of the organization, and the number of properties', async () => {
    clock.set('2026-07-01T23:30:00Z');
    await tenant.api.patch('/organization', { timezone: 'Europe/Lisbon' });
    const { now, timezone, propertyCount, hiddenBecause } = await me(tenant.api.key as string);
    expect([now, timezone]).toEqual(['2026-07-02T00:30:00+01:00', 'Europe/Lisbon']);
    expect(propertyCount).toBe((await tenant.api.get('/properties?limit=100')).body.data.length);
    expect(hiddenBecause).toBeNull();
    await tenant.api.patch('/organization', { timezone: 'UTC' });
    expect((await me(tenant.api.key as string)).now).toBe('2026-07-01T23:30:00Z');
  });

  it('is short on request', async () => {
    const { scopes, permissions, propertyIds, ...rest } = await me(tenant.reader.key as string);
    expect([scopes, permissions, propertyIds]).toEqual([expect.any(Array), expect.any(Array), null]);
    const short = await me(tenant.reader.key as string, { brief: true });
    expect(short).toEqual({ ...rest, now: short.now });
    expect(tokensOf(JSON.stringify(short))).toBeLessThanOrEqual(300);
  });

  it('accepts no other input', async () => {
    expect((await tenant.doors[door].ask('getMe', { colour: 'red' })).status).toBe(400);
  });
});
