import { CalendarDate, Flag, Id, Int, IntersectionType, ListOfObjects, OmitType, PageOf, Text } from '#operations';
import { ThisProperty } from '../../../tenancy/properties/property.dto.js';

export class WantedNights {
  @CalendarDate({ description: 'First night, local to the property.', example: '2027-07-01' }) from: string;
  @CalendarDate({ description: 'Day after the last night, local to the property.', example: '2027-07-04' })
  until: string;
}

export class GetAvailability extends IntersectionType(
  ThisProperty,
  WantedNights,
  OmitType(PageOf(['sortOrder']), ['sort']),
) {}

export class TypeAvailability {
  @Id('unittype', { description: 'Unit type (unittype_…).' }) unitTypeId: string;
  @Text({ description: 'Name of the unit type.', max: 200 }) name: string;
  @Int({ description: 'Number of its units that are not archived.', min: 0, max: 1_000_000 }) units: number;
  @Int({ description: 'How many more stays of the type can be booked for all of the nights.', min: 0, max: 1_000_000 })
  free: number;
}

export class AvailabilityView {
  @Id('property', { description: 'Property (property_…).' }) propertyId: string;
  @CalendarDate({ description: 'First night, local to the property.' }) from: string;
  @CalendarDate({ description: 'Day after the last night, local to the property.' }) until: string;
  @Flag({ description: 'true: a stay of the whole property can be booked, because nothing else is on the nights.' })
  wholeProperty: boolean;
  @ListOfObjects(() => TypeAvailability, { description: 'Unit types in their order.', max: 100 })
  unitTypes: TypeAvailability[];
}
