import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Id, Int, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { Geo } from '../../organizations/property.dto.js';
import { PageOf } from '../../../libs/operations/paging.js';
import { ThisGuide } from '../guide.dto.js';

export const placeCategories = ['food', 'shop', 'sight', 'activity', 'transport', 'health', 'other'] as const;
export type PlaceCategory = (typeof placeCategories)[number];

export const placeStatuses = ['draft', 'approved', 'hidden'] as const;
export type PlaceStatus = (typeof placeStatuses)[number];

export const placeSources = ['osm', 'manual'] as const;
export type PlaceSource = (typeof placeSources)[number];

class PlaceFields {
  @Text({ about: 'What the place is called.', max: 200, example: 'Café Central' })
  name: string;

  @OneOf(placeCategories, { about: 'What kind of place it is; other when left out.', optional: true })
  category?: PlaceCategory;

  @Text({
    about: 'What is worth knowing about it; translated like the rest.',
    max: 2_000,
    optional: true,
    nullable: true,
  })
  note?: string | null;

  @Text({ about: 'Where it is.', max: 500, optional: true, nullable: true })
  address?: string | null;

  @ObjectOf(() => Geo, { about: 'Where it is on the map.', optional: true, nullable: true })
  geo?: Geo | null;

  @Text({ about: 'Its telephone number.', max: 50, optional: true, nullable: true })
  phone?: string | null;

  @Text({ about: 'Its website, with https:// or http://.', max: 2_000, optional: true, nullable: true })
  website?: string | null;

  @Text({ about: 'When it is open, as in OpenStreetMap: Mo-Fr 09:00-18:00.', max: 500, optional: true, nullable: true })
  openingHours?: string | null;
}

export class AddPlace extends IntersectionType(ThisGuide, PlaceFields) {}

export class ImportPlace extends ThisGuide {
  @Text({
    about:
      'A name with its town, a coordinate such as 38.6976,-9.2033, or a link of Google Maps, Apple Maps or OpenStreetMap.',
    max: 2_000,
    example: 'Pastéis de Belém, Lisboa',
  })
  place: string;

  @Text({ about: 'What the note is to dwell on.', max: 500, optional: true })
  instruction?: string;
}

export class ThisPlace extends ThisGuide {
  @Id('place', { about: 'The place.' }) placeId: string;
}

export class UpdatePlace extends IntersectionType(ThisPlace, PartialType(PlaceFields, { skipNullProperties: false })) {
  @OneOf(['draft', 'approved'], {
    about: 'approved: shown from the next publishGuide on. draft: not shown. Either brings back a hidden one.',
    optional: true,
  })
  status?: Exclude<PlaceStatus, 'hidden'>;
}

export class ListPlaces extends IntersectionType(ThisGuide, PageOf(['createdAt'])) {
  @OneOf(placeStatuses, { about: 'Only places of this status; all but hidden ones when left out.', optional: true })
  status?: PlaceStatus;
}

export class PlaceView {
  @Id('place', { about: 'The place.' }) id: string;
  @Id('guide', { about: 'The guide that it is in.' }) guideId: string;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
  @OneOf(placeCategories, { about: 'What kind of place it is.' }) category: PlaceCategory;
  @OneOf(placeStatuses, { about: 'draft (to be looked at), approved (to be shown) or hidden.' }) status: PlaceStatus;
  @Text({ about: 'What is worth knowing about it.', max: 2_000, nullable: true }) note: string | null;
  @Text({ about: 'Where it is.', max: 500, nullable: true }) address: string | null;
  @ObjectOf(() => Geo, { about: 'Where it is on the map.', nullable: true }) geo: Geo | null;
  @Text({ about: 'Its telephone number.', max: 50, nullable: true }) phone: string | null;
  @Text({ about: 'Its website.', max: 2_000, nullable: true }) website: string | null;
  @Text({ about: 'When it is open, as in OpenStreetMap.', max: 500, nullable: true }) openingHours: string | null;
  @OneOf(placeSources, { about: 'Where its facts come from.' }) source: PlaceSource;
  @Text({ about: 'What the source calls it, such as node/240109189.', max: 100, nullable: true }) sourceRef:
    | string
    | null;
  @Text({ about: 'Whom the source wants named beside it.', max: 200, nullable: true }) attribution: string | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was added.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
