import type { Config } from '../../../src/platform/config/app.config.js';
import { MapRequests } from '../../../src/features/guides/openstreetmap/map-requests.js';
import { Overpass } from '../../../src/features/guides/openstreetmap/overpass.js';
import { Nominatim } from '../../../src/features/guides/openstreetmap/nominatim.js';
import { Pace } from '../../../src/features/guides/openstreetmap/pace.js';

const gapMs = 100;
const geo = { latitude: 1, longitude: 1 };
const config = { baseUrl: 'http://us.test', nominatimUrl: 'http://a.test', overpassUrl: 'http://b.test' } as Config;

/** When those that passed did, by performance.now(). */
async function passing(signals: (AbortSignal | undefined)[]): Promise<number[]> {
  const pace = new Pace(gapMs);
  const turns = signals.map((signal) => pace.turn(signal).then(() => performance.now()));
  const settled = await Promise.allSettled(turns);
  return settled.flatMap((turn) => (turn.status === 'fulfilled' ? [turn.value] : []));
}

describe('a pace', () => {
  it('lets one pass at a time, in order', async () => {
    const [first = 0, second = 0, third = 0] = await passing([undefined, undefined, undefined]);
    expect(second - first).toBeGreaterThan(gapMs - 10);
    expect(third - second).toBeGreaterThan(gapMs - 10);
  });

  it('gives the turns of requests that are aborted to those behind', async () => {
    const gone = Array.from({ length: 30 }, () => AbortSignal.abort());
    const [first = 0, second = 0, ...more] = await passing([undefined, ...gone, undefined]);
    expect(more).toEqual([]);
    expect(second - first).toBeLessThan(gapMs * 10);
  });
});

describe.each([
  [
    'Nominatim',
    (requests: MapRequests) => (signal: AbortSignal) => new Nominatim(config, requests).reverse(geo, signal),
  ],
  ['Overpass', (requests: MapRequests) => (signal: AbortSignal) => new Overpass(config, requests).nearest(geo, signal)],
])('a request to %s', (_, asking) => {
  it('ends with its job, and does not count as a server error then', async () => {
    const job = new AbortController();
    const outbound = {
      fetch: (_url: string, { signal }: { signal?: AbortSignal }) => {
        job.abort();
        return signal?.aborted ? Promise.reject(new Error('aborted')) : Promise.reject(new Error('not told'));
      },
    };
    const requests = new MapRequests(config, outbound as never);
    await expect(asking(requests)(job.signal)).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  });
});
