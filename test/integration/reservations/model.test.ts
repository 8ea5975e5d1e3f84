import { startTenant, type Tenant } from '../../support/tenant.js';
import { compare, crowd } from './model-runs.js';

let tenant: Tenant;
beforeAll(async () => {
  // What runs in the background says nothing about nights.
  tenant = await startTenant({ WORKER: 'off' });
});
afterAll(() => tenant.close());

describe('a small hotel', () => {
  it('answers one client as the model beside it does', async () => {
    await compare(tenant.api, { numRuns: 50, maxLength: 12, seed: 17 });
  });

  it('sells no night twice to eight clients', async () => {
    await crowd(tenant.api, { numRuns: 3, length: 8, seed: 17 });
  });
});
