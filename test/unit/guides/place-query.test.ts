import { placeQuery } from '../../../src/features/guides/openstreetmap/place-query.js';

const geo = { latitude: 38.6975, longitude: -9.2033 };
const named = (name: string) => ({ kind: 'name', name });

describe('a search for a place', () => {
  it.each([
    ['Pastéis de Belém, Lisboa', named('Pastéis de Belém, Lisboa')],
    ['Room 38, 9 Street', named('Room 38, 9 Street')],
    ['99.1, 12', named('99.1, 12')],
    ['38.6975,-9.2033', { kind: 'coordinate', geo }],
    [' 38.6975 -9.2033 ', { kind: 'coordinate', geo }],
    ['geo:38.6975,-9.2033?z=19', { kind: 'coordinate', geo }],
    ['geo:38.6975,-9.2033;u=35', { kind: 'coordinate', geo }],
    ['https://www.openstreetmap.org/node/240109189', { kind: 'element', ref: 'node/240109189' }],
    ['https://www.openstreetmap.org/way/5#map=19/38.6/-9.2', { kind: 'element', ref: 'way/5' }],
    ['https://www.openstreetmap.org/#map=19/38.6975/-9.2033', { kind: 'coordinate', geo }],
    ['https://www.openstreetmap.org/?mlat=38.6975&mlon=-9.2033#map=17/1/1', { kind: 'coordinate', geo }],
    ['https://www.openstreetmap.org/search?query=Caf%C3%A9%20Central', named('Café Central')],
    ['https://maps.apple.com/?ll=38.6975,-9.2033&q=Bel%C3%A9m', { ...named('Belém'), geo }],
    ['https://maps.apple.com/place?coordinate=38.6975,-9.2033&name=Tower', { ...named('Tower'), geo }],
    [
      'https://www.google.com/maps/place/Past%C3%A9is+de+Bel%C3%A9m/@38.1,-9.1,17z/data=!3m1!4b1!4m6!3m5!8m2!3d38.6975!4d-9.2033!16s',
      { ...named('Pastéis de Belém'), geo },
    ],
    ['https://www.google.pt/maps/@38.6975,-9.2033,17z', { kind: 'coordinate', geo }],
    ['https://www.google.com/maps/search/?api=1&query=38.6975%2C-9.2033', { kind: 'coordinate', geo }],
    ['https://maps.google.com/?q=Tower+of+Bel%C3%A9m', named('Tower of Belém')],
    ['https://www.google.com/maps/place/100%/@38.6975,-9.2033,17z', { ...named('100%'), geo }],
  ])('finds it by %s', (text, query) => expect(placeQuery(text)).toEqual(query));

  it.each([
    'https://maps.app.goo.gl/abc',
    'https://attacker.example/maps/place/x/@38.6975,-9.2033',
    'https://google.com.attacker.example/maps/place/x',
    'https://www.google.com/search?q=x',
    'https://www.openstreetmap.org/user/5',
    'http://[',
  ])('cannot use %s', (link) => expect(() => placeQuery(link)).toThrow('contains no place'));
});
