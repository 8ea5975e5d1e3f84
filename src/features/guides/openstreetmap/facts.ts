import type { Geo } from '../../../tenancy/properties/property.dto.js';
import { isWebsite } from '../links.js';
import type { PlaceCategory } from '../place-categories.js';

/** The facts that the source has about a place, without anybody's wording. */
export interface PlaceFacts {
  readonly name: string;
  readonly category: PlaceCategory;
  readonly address: string | null;
  readonly geo: Geo;
  readonly phone: string | null;
  readonly website: string | null;
  readonly openingHours: string | null;
  readonly sourceRef: string;
  readonly attribution: string;
}

/** An object of the map: its tags are free text that anyone may have written. */
export interface MapElement {
  readonly ref: string;
  readonly geo: Geo;
  readonly tags: Readonly<Record<string, string>>;
}

/** The licence of the data (ODbL) requires this attribution. */
const attribution = '© OpenStreetMap contributors';

/** @param address in one line, from a source that is more reliable than the tags. */
export const factsOf = ({ ref, geo, tags }: MapElement, address: string | null): PlaceFacts => ({
  name: short(tags.name, 200) ?? short(address?.split(',')[0], 200) ?? 'Unnamed place',
  category: categoryOf(tags),
  address: short(address ?? addressIn(tags), 500),
  geo,
  phone: short((tags['contact:phone'] ?? tags.phone)?.split(';')[0], 50),
  website: websiteIn(tags),
  openingHours: short(tags.opening_hours, 500),
  sourceRef: ref,
  attribution,
});

export function addressIn(tags: MapElement['tags']): string | null {
  const street = [tags['addr:street'], tags['addr:housenumber']].filter(Boolean).join(' ');
  const town = [tags['addr:postcode'], tags['addr:city']].filter(Boolean).join(' ');
  return street && town ? `${street}, ${town}` : null;
}

function websiteIn(tags: MapElement['tags']): string | null {
  const website = short((tags['contact:website'] ?? tags.website)?.split(';')[0], 2_000);
  return website && isWebsite(website) ? website : null;
}

/** Values that are too long are left out rather than cut, because half an address leads elsewhere. */
function short(text: string | null | undefined, max: number): string | null {
  const plain = text?.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return plain && plain.length <= max ? plain : null;
}

/** The first match; a tag without a value matches any value. */
const categories: [PlaceCategory, RegExp][] = [
  ['health', /^(healthcare=|amenity=(pharmacy|hospital|clinic|doctors|dentist))/],
  ['food', /^amenity=(restaurant|cafe|bar|pub|fast_food|ice_cream|biergarten|food_court)/],
  [
    'transport',
    /^(railway=|public_transport=|aeroway=|amenity=(bus_station|ferry_terminal|taxi|bicycle_rental)|highway=bus_stop)/,
  ],
  ['activity', /^(leisure=|tourism=(zoo|theme_park|aquarium)|amenity=(cinema|theatre))/],
  ['sight', /^(historic=|natural=|tourism=(museum|attraction|viewpoint|gallery|artwork))/],
  ['shop', /^(shop=|amenity=marketplace)/],
];

function categoryOf(tags: MapElement['tags']): PlaceCategory {
  const pairs = Object.entries(tags).map(([key, value]) => `${key}=${value}`);
  return categories.find(([, pattern]) => pairs.some((tag) => pattern.test(tag)))?.[0] ?? 'other';
}
