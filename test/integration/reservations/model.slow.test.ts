import { startTenant, type Tenant } from '../../support/tenant.js';
import { compare, crowd } from './model-runs.js';

let tenant: Tenant;
beforeAll(async () => {
  // Background work does not affect nights.
  tenant = await startTenant({ WORKER: 'off' });
});
afterAll(() => tenant.close());

describe('a small hotel', () => {
  it('gives one client the responses that the model expects', async () => {
    await compare(tenant.api, { numRuns: 50, maxLength: 12, seed: 17 });
  });

  it('sells no night twice to eight clients', async () => {
    await crowd(tenant.api, { numRuns: 3, length: 8, seed: 17 });
  });
});
