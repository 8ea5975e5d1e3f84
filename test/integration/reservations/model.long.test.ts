import { startTenant, type Tenant } from '../../support/tenant.js';
import { compare, crowd } from './model-runs.js';

let tenant: Tenant;
beforeAll(async () => {
  // What runs in the background says nothing about nights.
  tenant = await startTenant({ WORKER: 'off' });
});
afterAll(() => tenant.close());

const seed = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);
const runs = Number(process.env.MODEL_RUNS ?? 2_000);

describe('a small hotel', () => {
  it('answers one client as the model beside it does', async () => {
    await compare(tenant.api, { numRuns: runs, maxLength: 40, seed });
  }, 3_600_000);

  it('sells no night twice to eight clients', async () => {
    await crowd(tenant.api, { numRuns: 100, length: 20, seed });
  }, 3_600_000);
});
