import { apiOf } from '../support/api.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { mcpOf } from '../support/mcp.js';
import { startTwoRegions, type TwoRegions } from '../support/regions.js';

/** In this process; `npm run test:long` tests the three cells and the entry that `ops regions` starts. */
let regions: TwoRegions;
beforeAll(async () => {
  regions = await startTwoRegions();
});
afterAll(() => regions.close());

type Region = 'us' | 'eu';
const over = (region: Region) => mcpOf(regions.entry.url, regions[region].key);

describe('MCP of the regions', () => {
  it('reaches the organization of each at one address', async () => {
    const organizations = (['us', 'eu'] as const).map(async (region) => {
      const { key, url } = regions[region];
      const { body } = await over(region).call('getMe');
      const { data } = (await apiOf(url, key).get('/me')).body;
      expect(body.data).toEqual({ ...data, now: expect.any(String) });
      expect(body.data.region).toBe(region);
      return body.data.organization.id as string;
    });
    expect(new Set(await Promise.all(organizations)).size).toBe(2);
  });

  it('rejects at one region the key of another', async () => {
    const elsewhere = await mcpOf(regions.eu.url, regions.us.key).call('getMe');
    expectEnvelope(elsewhere, refusals.unauthorized);
    expect(elsewhere.body.error.message).toContain(regions.us.url);
  });

  it('continues in the others when one is down', async () => {
    await regions.eu.app.close();
    expect((await over('eu').call('getMe')).status).toBe(503);
    expect((await over('us').call('getMe')).status).toBe(200);
  });
});
