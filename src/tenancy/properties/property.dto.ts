import {
  Decimal,
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  ObjectOf,
  OneOf,
  PageOf,
  PartialType,
  Pattern,
  SearchText,
  Text,
  Timestamp,
  TimeZone,
} from '#operations';
import { ExternalRef, ExternalRefChange, mostReferences, ReferredTo } from '../references/external-ref.dto.js';
import { type Blocker, blockers, type Readiness, readinesses } from '../readiness/readiness.dto.js';
import { AutomaticTask } from './work.dto.js';

export const propertyTypes = ['apartment', 'house', 'villa', 'cabin', 'hotel', 'other'] as const;
export type PropertyType = (typeof propertyTypes)[number];

export const cleaningStatuses = ['dirty', 'cleaning', 'clean', 'inspected', 'out_of_service', 'out_of_order'] as const;
export type CleaningStatus = (typeof cleaningStatuses)[number];

export const clock = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, max: 5, message: 'Pass a time of day such as 15:00.' };
const country = { pattern: /^[A-Z]{2}$/, max: 2, message: 'Pass an ISO 3166-1 country code such as PT.' };

export class Address {
  @Text({ description: 'Street and number.', max: 200, optional: true, nullable: true }) line1?: string | null;
  @Text({ description: 'Floor, door or building.', max: 200, optional: true, nullable: true }) line2?: string | null;
  @Text({ description: 'Town or city.', max: 100, optional: true, nullable: true }) city?: string | null;
  @Text({ description: 'State or region.', max: 100, optional: true, nullable: true }) state?: string | null;
  @Text({ description: 'Postal code.', max: 20, optional: true, nullable: true }) postalCode?: string | null;
  @Pattern({ description: 'ISO 3166-1 country code.', optional: true, nullable: true, ...country }) country?:
    | string
    | null;
}

export class Geo {
  @Decimal({ description: 'Latitude in degrees north (WGS 84).', min: -90, max: 90 }) latitude: number;
  @Decimal({ description: 'Longitude in degrees east (WGS 84).', min: -180, max: 180 }) longitude: number;
}

export class Wifi {
  @Text({ description: 'Name of the network.', max: 64 }) networkName: string;
  @Text({ description: 'Password of the network.', secret: 'value', max: 128 }) password: string;
}

class PropertyFields {
  @Text({ description: 'Name of the property.', max: 200, example: 'Casa Azul' })
  name: string;

  @TimeZone({ description: 'IANA time zone; dates of stays are local to it.' })
  timezone: string;

  @OneOf(propertyTypes, {
    description: 'Kind of property; default: other.',
    optional: true,
    example: 'apartment',
  })
  type?: PropertyType;

  @ObjectOf(() => Address, { description: 'Postal address.', optional: true, nullable: true })
  address?: Address | null;

  @ObjectOf(() => Geo, { description: 'Coordinates.', optional: true, nullable: true })
  geo?: Geo | null;

  @Pattern({ description: 'Check-in time, local to the property; default: 15:00.', optional: true, ...clock })
  checkInTime?: string;

  @Pattern({ description: 'Check-out time, local to the property; default: 11:00.', optional: true, ...clock })
  checkOutTime?: string;

  @Int({ description: 'Maximum number of guests.', optional: true, nullable: true, min: 1, max: 10_000 })
  capacity?: number | null;

  @ObjectOf(() => Wifi, {
    description: 'Wifi network; stored encrypted, only revealWifi returns it.',
    optional: true,
    nullable: true,
  })
  wifi?: Wifi | null;

  @ListOfObjects(() => AutomaticTask, {
    description: 'Tasks that are created for every confirmed stay.',
    optional: true,
    max: 20,
  })
  automaticTasks?: AutomaticTask[];

  @Flag({
    description: 'Whether the cleaning status of the property and its units follows stays and tasks; default: true.',
    optional: true,
  })
  roomStatusFollowsWork?: boolean;

  @ListOf({ text: 50 }, { description: 'Tags for searching.', optional: true, max: 50 })
  tags?: string[];

  @Metadata({ description: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRefChange, {
    description: 'Ids in other systems.',
    optional: true,
    max: mostReferences,
  })
  externalRefs?: ExternalRefChange[];
}

export class CreateProperty extends PropertyFields {}

export class ThisProperty {
  @Id('property', { description: 'Property id (property_…), from listProperties.' }) propertyId: string;
}

export class UpdateProperty extends IntersectionType(ThisProperty, PartialType(PropertyFields)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class SetPropertyStatus extends ThisProperty {
  @OneOf(cleaningStatuses, { description: 'Cleaning status.' }) cleaningStatus: CleaningStatus;
}

export class ListProperties extends IntersectionType(PageOf(['createdAt', 'updatedAt', 'name']), ReferredTo) {
  @SearchText({ description: 'Only properties whose name contains this text.', min: 3, optional: true }) q?: string;

  @Flag({
    description: 'true: only archived properties; default: only others.',
    optional: true,
  })
  archived?: boolean;

  @Timestamp({ description: 'Only properties changed since this time, including archived ones.', optional: true })
  updatedSince?: string;
}

export class PropertyView {
  @Id('property', { description: 'Property id (property_…).' }) id: string;
  @Text({ description: 'Name of the property.', max: 200 }) name: string;
  @TimeZone({ description: 'IANA time zone; dates of stays are local to it.' }) timezone: string;
  @OneOf(propertyTypes, { description: 'Kind of property.' }) type: PropertyType;
  @ObjectOf(() => Address, { description: 'Postal address.', nullable: true }) address: Address | null;
  @ObjectOf(() => Geo, { description: 'Coordinates.', nullable: true }) geo: Geo | null;
  @Pattern({ description: 'Check-in time, local to the property.', ...clock }) checkInTime: string;
  @Pattern({ description: 'Check-out time, local to the property.', ...clock }) checkOutTime: string;
  @Int({ description: 'Maximum number of guests.', nullable: true, min: 1, max: 10_000 }) capacity: number | null;
  @Flag({ description: 'Whether a wifi network is stored; revealWifi returns it.' }) hasWifi: boolean;
  @ListOfObjects(() => AutomaticTask, { description: 'Tasks that are created for every confirmed stay.', max: 20 })
  automaticTasks: AutomaticTask[];
  @OneOf(cleaningStatuses, { description: 'Cleaning status.' }) cleaningStatus: CleaningStatus;
  @Flag({ description: 'Whether the cleaning status of the property and its units follows stays and tasks.' })
  roomStatusFollowsWork: boolean;
  @OneOf(readinesses, {
    description: 'Whether guests can be let in to the property and all of its units; notReadyBecause says why not.',
  })
  readiness: Readiness;
  @ListOf({ oneOf: blockers }, { description: 'Reasons why guests cannot be let in.', max: blockers.length })
  notReadyBecause: Blocker[];
  @ListOf({ text: 50 }, { description: 'Tags for searching.', max: 50 }) tags: string[];
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the property in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Timestamp({ description: 'When the property was archived.', nullable: true }) archivedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the property was added.' }) createdAt: string;
  @Timestamp({ description: 'When the property was last changed.' }) updatedAt: string;
}

export class CalendarFeedView {
  @Text({ description: 'Address of the calendar; anyone with the address can read it.', max: 500 }) url: string;
}
