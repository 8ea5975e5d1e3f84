import { doorNames, doors } from '../../support/doors.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

describe.each(doorNames)('getOrganization over %s', (name) => {
  it('returns the organization of the credential with its settings', async () => {
    const { status, body } = await doors(service)[name].ask('getOrganization');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: expect.stringMatching(/^org_[0-9a-f]{32}$/),
      name: 'My Organization',
      slug: 'my-organization',
      region: 'us',
      timezone: 'UTC',
      currency: 'USD',
      locales: ['en'],
      requireTwoFactor: false,
      remoteControlEnabled: true,
      selfRegisteredApplications: 'allowed',
      allowedClientIds: [],
      modelCallsPerMinute: 10,
      maxKeyDays: null,
      quotas: expect.any(Object),
      version: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });
});
