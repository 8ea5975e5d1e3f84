import { Id, Text } from '#operations';

export class ICalSettings {
  @Text({ about: 'The address of the calendar, https.', max: 2_000 })
  url: string;

  @Id('property', { about: 'The property whose stays it holds.' })
  propertyId: string;

  @Id('unit', { about: 'The unit of the property, where it is for one alone.', optional: true, nullable: true })
  unitId?: string | null;
}
