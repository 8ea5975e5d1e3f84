import { Id, Int, IntersectionType, ObjectOf, OneOf, PageOf, PartialType, Text, Timestamp } from '#operations';
import { Geo } from '../../../tenancy/properties/property.dto.js';
import { ThisGuide } from '../guide.dto.js';
import { placeCategories, type PlaceCategory } from '../place-categories.js';

export const placeStatuses = ['draft', 'approved', 'hidden'] as const;
export type PlaceStatus = (typeof placeStatuses)[number];

export const placeSources = ['osm', 'manual'] as const;
export type PlaceSource = (typeof placeSources)[number];

class PlaceFields {
  @Text({ description: 'Name of the place.', max: 200, example: 'Café Central' })
  name: string;

  @OneOf(placeCategories, { description: 'Kind of place; default: other.', optional: true })
  category?: PlaceCategory;

  @Text({
    description: 'Note for guests; translated with the guide.',
    max: 2_000,
    optional: true,
    nullable: true,
  })
  note?: string | null;

  @Text({ description: 'Address of the place.', max: 500, optional: true, nullable: true })
  address?: string | null;

  @ObjectOf(() => Geo, { description: 'Coordinates of the place.', optional: true, nullable: true })
  geo?: Geo | null;

  @Text({ description: 'Phone number of the place.', max: 50, optional: true, nullable: true })
  phone?: string | null;

  @Text({ description: 'Website of the place (https or http).', max: 2_000, optional: true, nullable: true })
  website?: string | null;

  @Text({
    description: 'Opening hours in OpenStreetMap format, such as Mo-Fr 09:00-18:00.',
    max: 500,
    optional: true,
    nullable: true,
  })
  openingHours?: string | null;
}

export class AddPlace extends IntersectionType(ThisGuide, PlaceFields) {}

export class ImportPlace extends ThisGuide {
  @Text({
    description:
      'Name with town, coordinates such as 38.6976,-9.2033, or a link from Google Maps, Apple Maps or OpenStreetMap.',
    max: 2_000,
    example: 'Pastéis de Belém, Lisboa',
  })
  place: string;

  @Text({ description: 'What the note should emphasize.', max: 500, optional: true })
  instruction?: string;
}

export class ThisPlace extends ThisGuide {
  @Id('place', { description: 'Place id (place_…), from listPlaces.' }) placeId: string;
}

export class UpdatePlace extends IntersectionType(ThisPlace, PartialType(PlaceFields)) {
  @OneOf(['draft', 'approved'], {
    description: 'approved: shown after the next publishGuide. draft: not shown. Either restores a hidden place.',
    optional: true,
  })
  status?: Exclude<PlaceStatus, 'hidden'>;
}

export class ListPlaces extends IntersectionType(ThisGuide, PageOf(['createdAt'])) {
  @OneOf(placeStatuses, {
    description: 'Only places with this status; default: all except hidden ones.',
    optional: true,
  })
  status?: PlaceStatus;
}

export class PlaceView {
  @Id('place', { description: 'Place id (place_…).' }) id: string;
  @Id('guide', { description: 'Guide that the place belongs to (guide_…).' }) guideId: string;
  @Text({ description: 'Name of the place.', max: 200 }) name: string;
  @OneOf(placeCategories, { description: 'Kind of place.' }) category: PlaceCategory;
  @OneOf(placeStatuses, { description: 'draft (to be reviewed), approved (shown to guests) or hidden.' })
  status: PlaceStatus;
  @Text({ description: 'Note for guests.', max: 2_000, nullable: true }) note: string | null;
  @Text({ description: 'Address of the place.', max: 500, nullable: true }) address: string | null;
  @ObjectOf(() => Geo, { description: 'Coordinates of the place.', nullable: true }) geo: Geo | null;
  @Text({ description: 'Phone number of the place.', max: 50, nullable: true }) phone: string | null;
  @Text({ description: 'Website of the place.', max: 2_000, nullable: true }) website: string | null;
  @Text({ description: 'Opening hours in OpenStreetMap format.', max: 500, nullable: true }) openingHours:
    | string
    | null;
  @OneOf(placeSources, { description: 'Source of the facts.' }) source: PlaceSource;
  @Text({ description: 'Id of the place at the source, such as node/240109189.', max: 100, nullable: true }) sourceRef:
    | string
    | null;
  @Text({ description: 'Attribution that the source requires.', max: 200, nullable: true }) attribution: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the place was added.' }) createdAt: string;
  @Timestamp({ description: 'When the place was last changed.' }) updatedAt: string;
}
