import { Id, ListOf, Int, Metadata, OneOf, Pattern, Text, Timestamp, TimeZone } from '#operations';
import { PageOf } from '../paging.js';

export const propertyTypes = ['apartment', 'house', 'villa', 'cabin', 'hotel', 'other'] as const;
export type PropertyType = (typeof propertyTypes)[number];

const clock = { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, max: 5, says: 'Give a time of day such as 15:00.' };

export class CreateProperty {
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

  @Pattern({ about: 'From when guests may arrive; 15:00 when left out.', optional: true, ...clock })
  checkInTime?: string;

  @Pattern({ about: 'By when guests leave; 11:00 when left out.', optional: true, ...clock })
  checkOutTime?: string;

  @ListOf({ text: 50 }, { about: 'Words to find it by.', optional: true, max: 50 })
  tags?: string[];

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class ThisProperty {
  @Id('property', { about: 'The property.' }) propertyId: string;
}

export class ListProperties extends PageOf(['createdAt', 'updatedAt', 'name']) {}

export class PropertyView {
  @Id('property', { about: 'The property.' }) id: string;
  @Text({ about: 'What the property is called.', max: 200 }) name: string;
  @TimeZone({ about: 'Its IANA time zone.' }) timezone: string;
  @OneOf(propertyTypes, { about: 'What kind of place it is.' }) type: PropertyType;
  @Pattern({ about: 'From when guests may arrive.', ...clock }) checkInTime: string;
  @Pattern({ about: 'By when guests leave.', ...clock }) checkOutTime: string;
  @ListOf({ text: 50 }, { about: 'Words to find it by.', max: 50 }) tags: string[];
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was added.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
