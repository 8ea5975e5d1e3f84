import { geoOf, refOf } from '../../../src/features/guides/openstreetmap/reading.js';

describe('the response of a map server', () => {
  it.each([
    [
      { lat: '38.7', lon: -9.1 },
      { latitude: 38.7, longitude: -9.1 },
    ],
    [{ center: { lat: 0, lon: '0' } }, { latitude: 0, longitude: 0 }],
    [{ lat: '', lon: '' }, undefined],
    [{ lat: ' ', lon: '1' }, undefined],
    [{ lat: [], lon: [] }, undefined],
    [{ lat: null, lon: false }, undefined],
    [{ lat: 'north', lon: '1' }, undefined],
    [{ lat: 91, lon: 0 }, undefined],
    [{ lat: 0, lon: 181 }, undefined],
    [{}, undefined],
  ])('such as %j is read as a point, or as none', (place, geo) => expect(geoOf(place)).toEqual(geo));

  it('names an object by what can be stored', () => {
    expect(refOf('node', 240_109_189)).toBe('node/240109189');
    expect(refOf('no\0de', '1\n2')).toBe('node/12');
    expect(refOf('node', `${'1'.repeat(94)}\u{1F600}`).isWellFormed()).toBe(true);
  });
});
