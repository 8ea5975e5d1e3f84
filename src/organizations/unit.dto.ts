import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, Metadata, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';
import { type CleaningStatus, cleaningStatuses, ThisProperty } from './property.dto.js';

class UnitFields {
  @Text({ about: 'What the unit is called.', max: 200 })
  name: string;

  @Int({ about: 'How many guests it holds.', optional: true, nullable: true, min: 1, max: 10_000 })
  capacity?: number | null;

  @OneOf(cleaningStatuses, { about: 'How clean and usable it is; clean when left out.', optional: true })
  cleaningStatus?: CleaningStatus;

  @ListOf({ text: 50 }, { about: 'Words to find it by.', optional: true, max: 50 })
  tags?: string[];

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class ThisUnit extends ThisProperty {
  @Id('unit', { about: 'The unit.' }) unitId: string;
}

export class CreateUnit extends IntersectionType(ThisProperty, UnitFields) {}

export class UpdateUnit extends IntersectionType(ThisUnit, PartialType(UnitFields, { skipNullProperties: false })) {}

export class ListUnits extends IntersectionType(ThisProperty, PageOf(['createdAt'])) {
  @Flag({ about: 'Only archived ones; only others when left out.', optional: true })
  archived?: boolean;

  @Timestamp({ about: 'Only those that changed at this time or later, archived ones included.', optional: true })
  updatedSince?: string;
}

export class UnitView {
  @Id('unit', { about: 'The unit.' }) id: string;
  @Id('property', { about: 'The property that it is part of.' }) propertyId: string;
  @Text({ about: 'What the unit is called.', max: 200 }) name: string;
  @Int({ about: 'How many guests it holds.', nullable: true, min: 1, max: 10_000 }) capacity: number | null;
  @OneOf(cleaningStatuses, { about: 'How clean and usable it is.' }) cleaningStatus: CleaningStatus;
  @ListOf({ text: 50 }, { about: 'Words to find it by.', max: 50 }) tags: string[];
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Timestamp({ about: 'When it was archived.', nullable: true }) archivedAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was added.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
