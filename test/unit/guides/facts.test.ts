import { unavailable } from '#errors';
import { factsOf } from '../../../src/features/guides/openstreetmap/facts.js';
import type { Nominatim } from '../../../src/features/guides/openstreetmap/nominatim.js';
import { OpenStreetMap } from '../../../src/features/guides/openstreetmap/open-street-map.js';
import type { Overpass } from '../../../src/features/guides/openstreetmap/overpass.js';

const element = (tags: Record<string, string>) => ({ ref: 'node/1', geo: { latitude: 1, longitude: 2 }, tags });

describe('the facts of a place', () => {
  it('are what the map says, with its attribution', () => {
    const tags = {
      name: 'Café',
      amenity: 'cafe',
      phone: '+351 1; +351 2',
      website: 'https://cafe.example/;https://b.example',
    };
    expect(factsOf(element({ ...tags, opening_hours: 'Mo-Fr 09:00-18:00' }), 'Rua 1, Lisboa')).toEqual({
      name: 'Café',
      category: 'food',
      address: 'Rua 1, Lisboa',
      geo: { latitude: 1, longitude: 2 },
      phone: '+351 1',
      website: 'https://cafe.example/',
      openingHours: 'Mo-Fr 09:00-18:00',
      sourceRef: 'node/1',
      attribution: '© OpenStreetMap contributors',
    });
  });

  it.each([
    [{ amenity: 'pharmacy' }, 'health'],
    [{ railway: 'station' }, 'transport'],
    [{ leisure: 'park' }, 'activity'],
    [{ tourism: 'museum' }, 'sight'],
    [{ shop: 'bakery' }, 'shop'],
    [{ office: 'lawyer' }, 'other'],
  ])('count %j as %s', (tags, category) =>
    expect(factsOf(element(tags as Record<string, string>), null).category).toBe(category),
  );

  it('omit what no field may contain', () => {
    const tags = {
      name: 'x'.repeat(201),
      website: 'javascript:alert(1)',
      phone: '1'.repeat(51),
      opening_hours: '\u0000',
    };
    expect(factsOf(element(tags), 'Rua 1, Lisboa')).toMatchObject({
      name: 'Rua 1',
      website: null,
      phone: null,
      openingHours: null,
    });
    const address = { 'addr:street': 'Rua de Belém', 'addr:housenumber': '84', 'addr:city': 'Lisboa' };
    expect(factsOf(element(address), null)).toMatchObject({
      name: 'Unnamed place',
      address: 'Rua de Belém 84, Lisboa',
    });
  });
});

it('exclude details that the map does not return now, but hide no mistake of ours', async () => {
  const found = { ...element({ name: 'Café' }), address: 'Rua 1' };
  const nominatim = { search: () => Promise.resolve(found) } as unknown as Nominatim;
  const factsWith = (error: Error) => {
    const overpass = { element: () => Promise.reject(error) } as unknown as Overpass;
    const query = { kind: 'name', name: 'Café' } as const;
    return new OpenStreetMap(nominatim, overpass).find(query, undefined, AbortSignal.timeout(5_000));
  };
  expect(await factsWith(unavailable('The map is down.', 1))).toMatchObject({ address: 'Rua 1' });
  await expect(factsWith(new TypeError('ours'))).rejects.toThrow('ours');
});
