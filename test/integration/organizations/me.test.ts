import { doorNames } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

describe.each(doorNames)('getMe over %s', (door) => {
  const me = async (key: string) => {
    const { status, body } = await tenant.doors[door].as(key).ask('getMe');
    expect(status).toBe(200);
    return body.data;
  };

  it('tells an API key who it is and what it may', async () => {
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
      scopes: ['properties:read', 'tasks:read'],
      permissions: ['properties:read', 'tasks:read'],
      propertyIds: [tenant.here],
      rateLimit: { perMinute: 6_000, perSecond: 100 },
      hiddenBecause: expect.stringContaining('scope'),
    });
  });

  it('asks for no scope, and tells each its own organization', async () => {
    const [mine, theirs] = [await me(tenant.reader.key as string), await me(tenant.stranger.key as string)];
    expect(theirs.organization.name).toBe('Another Organization');
    expect(theirs.organization.id).not.toBe(mine.organization.id);
    expect(mine.propertyIds).toBeNull();
  });

  it('takes no input', async () => {
    expect((await tenant.doors[door].ask('getMe', { colour: 'red' })).status).toBe(400);
  });
});
