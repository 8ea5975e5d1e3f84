import { IntersectionType, PartialType } from '@nestjs/swagger';
import {
  Decimal,
  Flag,
  Id,
  Int,
  ListOf,
  ListOfObjects,
  Metadata,
  ObjectOf,
  OneOf,
  Pattern,
  Text,
  Timestamp,
  TimeZone,
} from '#operations';
import { PageOf } from '../../libs/operations/paging.js';
import { AutomaticTask } from '../tenancy/properties/work.dto.js';

export const propertyTypes = ['apartment', 'house', 'villa', 'cabin', 'hotel', 'other'] as const;
export type PropertyType = (typeof propertyTypes)[number];

export const cleaningStatuses = ['dirty', 'cleaning', 'clean', 'inspected', 'out_of_service', 'out_of_order'] as const;
export type CleaningStatus = (typeof cleaningStatuses)[number];

export const readinesses = ['ready', 'not_ready'] as const;
export type Readiness = (typeof readinesses)[number];

/** What keeps guests from being let in. */
export const hindrances = ['not_clean', 'unlocked', 'temperature'] as const;
export type Hindrance = (typeof hindrances)[number];

const clock = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, max: 5, says: 'Give a time of day such as 15:00.' };
const country = { pattern: /^[A-Z]{2}$/, max: 2, says: 'Give an ISO 3166-1 country code such as PT.' };

export class Address {
  @Text({ about: 'Street and number.', max: 200, optional: true, nullable: true }) line1?: string | null;
  @Text({ about: 'Floor, door, building.', max: 200, optional: true, nullable: true }) line2?: string | null;
  @Text({ about: 'Town.', max: 100, optional: true, nullable: true }) city?: string | null;
  @Text({ about: 'State or region.', max: 100, optional: true, nullable: true }) state?: string | null;
  @Text({ about: 'Postal code.', max: 20, optional: true, nullable: true }) postalCode?: string | null;
  @Pattern({ about: 'ISO 3166-1 country code.', optional: true, nullable: true, ...country }) country?: string | null;
}

export class Geo {
  @Decimal({ about: 'Degrees north, WGS 84.', min: -90, max: 90 }) latitude: number;
  @Decimal({ about: 'Degrees east, WGS 84.', min: -180, max: 180 }) longitude: number;
}

export class Wifi {
  @Text({ about: 'The name of the network.', max: 64 }) networkName: string;
  @Text({ about: 'Its password.', max: 128 }) password: string;
}

class PropertyFields {
  @Text({ about: 'What the property is called.', max: 200, example: 'Casa Azul' })
  name: string;

  @TimeZone({ about: 'Its IANA time zone; dates of its stays are local to it.' })
  timezone: string;

  @OneOf(propertyTypes, {
    about: 'What kind of place it is; other when left out.',
    optional: true,
    example: 'apartment',
  })
  type?: PropertyType;

  @ObjectOf(() => Address, { about: 'Where it is.', optional: true, nullable: true })
  address?: Address | null;

  @ObjectOf(() => Geo, { about: 'Where it is on the map.', optional: true, nullable: true })
  geo?: Geo | null;

  @Pattern({ about: 'From when guests may arrive; 15:00 when left out.', optional: true, ...clock })
  checkInTime?: string;

  @Pattern({ about: 'By when guests leave; 11:00 when left out.', optional: true, ...clock })
  checkOutTime?: string;

  @Int({ about: 'How many guests it holds.', optional: true, nullable: true, min: 1, max: 10_000 })
  capacity?: number | null;

  @ObjectOf(() => Wifi, {
    about: 'The wifi; kept encrypted, shown by revealWifi alone.',
    optional: true,
    nullable: true,
  })
  wifi?: Wifi | null;

  @ListOfObjects(() => AutomaticTask, {
    about: 'Work that is planned for every confirmed stay.',
    optional: true,
    max: 20,
  })
  automaticTasks?: AutomaticTask[];

  @ListOf({ text: 50 }, { about: 'Words to find it by.', optional: true, max: 50 })
  tags?: string[];

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class CreateProperty extends PropertyFields {}

export class ThisProperty {
  @Id('property', { about: 'The property.' }) propertyId: string;
}

export class UpdateProperty extends IntersectionType(
  ThisProperty,
  PartialType(PropertyFields, { skipNullProperties: false }),
) {}

export class SetPropertyStatus extends ThisProperty {
  @OneOf(cleaningStatuses, { about: 'How clean and usable it is.' }) cleaningStatus: CleaningStatus;
}

export class ListProperties extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @Flag({ about: 'Only archived ones; only others when left out.', optional: true })
  archived?: boolean;

  @Timestamp({ about: 'Only those that changed at this time or later, archived ones included.', optional: true })
  updatedSince?: string;
}

export class PropertyView {
  @Id('property', { about: 'The property.' }) id: string;
  @Text({ about: 'What the property is called.', max: 200 }) name: string;
  @TimeZone({ about: 'Its IANA time zone; dates of its stays are local to it.' }) timezone: string;
  @OneOf(propertyTypes, { about: 'What kind of place it is.' }) type: PropertyType;
  @ObjectOf(() => Address, { about: 'Where it is.', nullable: true }) address: Address | null;
  @ObjectOf(() => Geo, { about: 'Where it is on the map.', nullable: true }) geo: Geo | null;
  @Pattern({ about: 'From when guests may arrive.', ...clock }) checkInTime: string;
  @Pattern({ about: 'By when guests leave.', ...clock }) checkOutTime: string;
  @Int({ about: 'How many guests it holds.', nullable: true, min: 1, max: 10_000 }) capacity: number | null;
  @Flag({ about: 'Whether a wifi is kept; revealWifi shows it.' }) hasWifi: boolean;
  @ListOfObjects(() => AutomaticTask, { about: 'Work that is planned for every confirmed stay.', max: 20 })
  automaticTasks: AutomaticTask[];
  @OneOf(cleaningStatuses, { about: 'How clean and usable it is.' }) cleaningStatus: CleaningStatus;
  @OneOf(readinesses, { about: 'Whether guests can be let in: it is clean, locked, and as warm as it is set to.' })
  readiness: Readiness;
  @ListOf({ oneOf: hindrances }, { about: 'Why they cannot.', max: hindrances.length }) notReadyBecause: Hindrance[];
  @ListOf({ text: 50 }, { about: 'Words to find it by.', max: 50 }) tags: string[];
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Timestamp({ about: 'When it was archived.', nullable: true }) archivedAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was added.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

export class CalendarFeedView {
  @Text({ about: 'The address of the calendar; whoever knows it can read it.', max: 500 }) url: string;
}
