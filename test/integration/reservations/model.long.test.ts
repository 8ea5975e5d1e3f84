import { startTenant, type Tenant } from '../../support/tenant.js';
import { compare, crowd } from './model-runs.js';

let tenant: Tenant;
beforeAll(async () => {
  // Background work does not affect nights.
  tenant = await startTenant({ WORKER: 'off' });
});
afterAll(() => tenant.close());

const seed = Number(process.env.MODEL_SEED ?? Date.now() % 1_000_000);
const runs = Number(process.env.MODEL_RUNS ?? 2_000);
/** A part that fails does not stop the others; `-t 'part (1[3-9]|20) of'` continues after an interruption. */
const parts = 20;
const hotelsAtOnce = 2;

describe('a small hotel', () => {
  it.each(Array.from({ length: parts }, (_, part) => part + 1))(
    `gives one client the responses that the model expects, part %d of ${parts}`,
    async (part) => {
      const begun = Date.now();
      const numRuns = Math.ceil(runs / parts / hotelsAtOnce);
      const seeds = Array.from({ length: hotelsAtOnce }, (_, hotel) => seed + part * hotelsAtOnce + hotel);
      await Promise.all(seeds.map((one) => compare(tenant.api, { numRuns, maxLength: 40, seed: one })));
      console.log({
        part,
        seeds,
        sequences: numRuns * hotelsAtOnce,
        seconds: Math.round((Date.now() - begun) / 1_000),
      });
    },
    3_600_000,
  );

  it('sells no night twice to eight clients', async () => {
    await crowd(tenant.api, { numRuns: 100, length: 20, seed });
  }, 3_600_000);
});
