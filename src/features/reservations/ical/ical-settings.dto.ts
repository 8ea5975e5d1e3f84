import { Id, Text } from '#operations';

export class ICalSettings {
  @Text({ description: 'Address of the calendar (https).', max: 2_000 })
  url: string;

  @Id('property', { description: 'Property whose stays are in the calendar (property_…), from listProperties.' })
  propertyId: string;

  @Id('unit', {
    description: 'Unit of that property (unit_…), from listUnits; omit it if the calendar is for the whole property.',
    optional: true,
    nullable: true,
  })
  unitId?: string | null;
}
