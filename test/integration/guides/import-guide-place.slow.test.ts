import type { Json } from '../../support/api.js';
import { doorNames, doors } from '../../support/doors.js';
import { propertyOf } from '../../support/factories.js';
import { hostileTexts } from '../../support/hostile-texts.js';
import { cafe, cafeElement, type MapServer, startMapServer } from '../../support/map-server.js';
import { drafts } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';

let map: MapServer;
let world: ModelWorld;
let guideId: string;
beforeAll(async () => {
  map = await startMapServer();
  world = await openModelWorld(map.env);
  guideId = (await api().post('/guides', { name: 'Welcome', sourceLocale: 'pt', locales: [] })).body.data.id;
});
afterAll(async () => {
  await world.close();
  await map.close();
});
beforeEach(() => {
  Object.assign(map, { found: cafe, elements: [cafeElement], failing: {} });
  map.asked.splice(0);
  world.model.asked.splice(0);
  world.model.script(drafts({ note: 'Um café antigo, para quem gosta de doces.' }));
});

const api = () => world.service.api.as(world.key);

const imported = (place: string, guide = guideId): Promise<Json> =>
  world.drafted(`/guides/${guide}/places/import`, { place });
const placeOf = async ({ result }: Json): Promise<Json> =>
  (await api().get(`/guides/${guideId}/places?limit=100`)).body.data.find(({ id }: Json) => id === result.placeId);

describe.each(doorNames)('importGuidePlace over %s', (name) => {
  const ask = (input: object) => doors(world.service)[name].as(world.key).ask('importGuidePlace', input);

  it('adds a draft with facts from the map and a note from the model', async () => {
    const { status, body } = await ask({ guideId, place: 'Pastéis de Belém, Lisboa' });
    expect([status, body.data.operation]).toEqual([202, 'importGuidePlace']);
    const job = await world.ended(body.data.id);
    expect(job).toMatchObject({ status: 'succeeded', result: { guideId, warnings: [] } });
    expect(await placeOf(job)).toMatchObject({
      name: 'Pastéis de Belém',
      category: 'food',
      status: 'draft',
      note: 'Um café antigo, para quem gosta de doces.',
      address: cafe.display_name,
      geo: { latitude: 38.6975, longitude: -9.2033 },
      phone: '+351 21 363 7423',
      website: 'https://pasteisdebelem.pt/',
      openingHours: 'Mo-Su 08:00-22:00',
      source: 'osm',
      sourceRef: 'node/240109189',
      attribution: '© OpenStreetMap contributors',
    });
  });

  it('rejects a link without a place immediately, and makes no request', async () => {
    const { status, body } = await ask({ guideId, place: 'https://attacker.example/maps/place/x' });
    expect([status, body.error.details.key]).toEqual([400, 'PLACE_LINK_UNREADABLE']);
    expect([map.asked, world.model.asked]).toEqual([[], []]);
  });
});

describe('an imported place', () => {
  it('is shown to guests after it is approved and published, with its attribution', async () => {
    const guide = (await api().post('/guides', { name: 'Welcome', sourceLocale: 'en' })).body.data;
    const { result } = await imported('Belém', guide.id);
    const page = async () => {
      await api().post(`/guides/${guide.id}/publish`);
      return await (await fetch(guide.url)).text();
    };
    expect(await page()).not.toContain('Belém');
    await api().patch(`/guides/${guide.id}/places/${result.placeId}`, { status: 'approved' });
    const html = await page();
    expect(html).toContain('<h4><bdi>Pastéis de Belém</bdi></h4>');
    expect(html).toContain('href="https://www.openstreetmap.org/copyright"');
    expect(html).toContain('© OpenStreetMap contributors');
  });

  it('is found by its coordinates or by a link, the nearest of several', async () => {
    const far = { ...cafeElement, id: 1, lat: 38.698, tags: { name: 'Far', shop: 'books' } };
    map.elements = [
      far,
      { ...cafeElement, id: 2, lat: undefined, lon: undefined, center: { lat: 38.6975, lon: -9.2033 } },
    ];
    expect((await imported('38.6975, -9.2033')).result.draft).toMatchObject({
      name: 'Pastéis de Belém',
      sourceRef: 'node/2',
      address: cafe.display_name,
    });
    const [overpass, reverse] = map.asked;
    expect(overpass?.query.get('data')).toContain('nwr(around:60,38.6975,-9.2033)[name]');
    expect([reverse?.path, reverse?.query.get('lat')]).toEqual(['/reverse', '38.6975']);
    map.elements = [cafeElement];
    await imported('https://www.openstreetmap.org/node/240109189');
    expect(map.asked[2]?.query.get('data')).toContain('node(240109189);out tags center;');
  });

  it('is searched around the property of the guide, and around the coordinates of a link', async () => {
    const propertyId = await propertyOf(api());
    await api().patch(`/properties/${propertyId}`, { geo: { latitude: 38.7, longitude: -9.25 } });
    const guide = { name: 'Welcome', sourceLocale: 'en', propertyIds: [propertyId] };
    await imported('Belém', (await api().post('/guides', guide)).body.data.id);
    await imported('https://maps.apple.com/?ll=38.6975,-9.2033&q=Bel%C3%A9m');
    const searches = map.asked.filter(({ path }) => path === '/search').map(({ query }) => query);
    expect(searches.map((query) => query.get('bounded'))).toEqual([null, '1']);
    expect(searches[0]?.get('viewbox')?.split(',').map(Number)).toEqual([-9.5, 38.45, -9, 38.95]);
  });

  it('omits what Overpass would add, and a note that says more than it may', async () => {
    map.failing = { '/api/interpreter': 504 };
    map.found = { ...cafe, display_name: '84, Rua de Belém, Lisboa' };
    world.model.script(drafts({ note: 'Open until 23:00, book at https://attacker.example' }));
    const job = await imported('Belém');
    expect(job).toMatchObject({
      status: 'succeeded',
      result: { warnings: [expect.stringContaining('no usable note')] },
    });
    expect(await placeOf(job)).toMatchObject({ name: 'Pastéis de Belém', website: null, note: null });
    expect(world.model.asked.at(-1)?.body.messages.at(-1)?.content).toContain(
      'Leave out 23:00, https://attacker.example',
    );
  });

  it('is not invented if the map does not know it or cannot be reached', async () => {
    map.found = undefined;
    expect(await imported('Nowhere')).toMatchObject({ status: 'failed', error: { code: 'NOT_FOUND' } });
    map.failing = { '/search': 503 };
    const failed = await imported('Belém');
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'CONNECTOR_ERROR' } });
    expect(failed.error.message).toContain('503');
    expect(world.model.asked).toEqual([]);
  });

  /** So that Nominatim, which is rate-limited, is not asked for it. */
  const address = { 'addr:street': 'Rua de Belém', 'addr:city': 'Lisboa' };

  it.each(hostileTexts)('keeps to its facts if the map says: %s', async (text) => {
    map.elements = [
      {
        ...cafeElement,
        tags: { ...address, name: text.slice(0, 200), amenity: 'cafe', description: text, website: text },
      },
    ];
    const { result } = await imported('https://www.openstreetmap.org/node/240109189');
    expect(result.draft).toMatchObject({ category: 'food', website: null, sourceRef: 'node/240109189' });
    const outside = (world.model.asked[0]?.body.messages ?? []).map(({ content }) =>
      content.replace(/<data-\w+>\n[\s\S]*\n<\/data-\w+>/, ''),
    );
    expect(outside.join('\n')).not.toContain(text.slice(0, 30));
    expect(outside).not.toHaveLength(0);
  });
});

describe('the servers of map data', () => {
  it('get requests that identify us, and Nominatim at most one per second', async () => {
    await Promise.all([imported('A'), imported('B')]);
    const searches = map.asked.filter(({ path }) => path === '/search');
    expect(searches.map(({ query }) => query.get('q')).toSorted()).toEqual(['A', 'B']);
    const [first, second] = searches.map(({ at }) => at) as [number, number];
    expect(second - first).toBeGreaterThan(950);
    expect(new Set(map.asked.map(({ userAgent }) => userAgent))).toEqual(
      new Set([expect.stringMatching(/^property-operations-service\/\d+\.\d+\.\d+ \(http/)]),
    );
  });
});
