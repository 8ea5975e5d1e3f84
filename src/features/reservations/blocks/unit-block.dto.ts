import {
  CalendarDate,
  Flag,
  Id,
  Int,
  IntersectionType,
  OmitType,
  OneOf,
  PageOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';
import { type CleaningStatus, cleaningStatuses, ThisProperty } from '../../../tenancy/properties/property.dto.js';

export const blockKinds = ['out_of_order', 'out_of_service', 'owner_use'] as const;
export type BlockKind = (typeof blockKinds)[number];

class UnitBlockFields {
  @Id('unit', {
    description: 'Blocked unit (unit_…), from listUnits; omitted or null: the whole property.',
    optional: true,
    nullable: true,
  })
  unitId?: string | null;

  @CalendarDate({ description: 'First blocked night, local to the property.', example: '2027-07-01' })
  from: string;

  @CalendarDate({
    description: 'Day after the last blocked night, local to the property; null: until it is ended.',
    optional: true,
    nullable: true,
    example: '2027-07-04',
  })
  until?: string | null;

  @OneOf(blockKinds, {
    description: 'Nights of out_of_order and owner_use cannot be booked; out_of_service is only shown.',
  })
  kind: BlockKind;

  @Text({ description: 'Why it is blocked.', max: 1_000, optional: true, nullable: true })
  reason?: string | null;

  @OneOf(cleaningStatuses, { description: 'Cleaning status after the block; default: dirty.', optional: true })
  returnStatus?: CleaningStatus;

  @Id('task', { description: 'Task of the repair (task_…), from listTasks.', optional: true, nullable: true })
  taskId?: string | null;
}

class Force {
  @Flag({
    description:
      'true: unassign the unit from stays that are not in house, which then wait for another unit. Stays of other systems keep it, with a warning.',
    optional: true,
  })
  force?: boolean;
}

export class CreateUnitBlock extends IntersectionType(ThisProperty, UnitBlockFields, Force) {}

export class ThisUnitBlock extends ThisProperty {
  @Id('block', { description: 'Block id (block_…), from listUnitBlocks.' }) blockId: string;
}

export class UpdateUnitBlock extends IntersectionType(
  ThisUnitBlock,
  PartialType(OmitType(UnitBlockFields, ['unitId'])),
  Force,
) {}

export class ListUnitBlocks extends IntersectionType(ThisProperty, PageOf(['createdAt', 'from'])) {
  @Id('unit', { description: 'Only blocks of this unit (unit_…), from listUnits.', optional: true }) unitId?: string;

  @Flag({
    description: 'true: only blocks that have ended; false or omitted: only blocks that have not.',
    optional: true,
  })
  ended?: boolean;
}

export class UnitBlockView {
  @Id('block', { description: 'Block id (block_…).' }) id: string;
  @Id('property', { description: 'Property of the block (property_…).' }) propertyId: string;
  @Id('unit', { description: 'Blocked unit (unit_…); null for the whole property.', nullable: true }) unitId:
    | string
    | null;
  @CalendarDate({ description: 'First blocked night, local to the property.' }) from: string;
  @CalendarDate({ description: 'Day after the last blocked night; null: until it is ended.', nullable: true }) until:
    | string
    | null;
  @OneOf(blockKinds, { description: 'Kind of the block.' }) kind: BlockKind;
  @Text({ description: 'Why it is blocked.', max: 1_000, nullable: true }) reason: string | null;
  @OneOf(cleaningStatuses, { description: 'Cleaning status after the block.' }) returnStatus: CleaningStatus;
  @Id('task', { description: 'Task of the repair (task_…).', nullable: true }) taskId: string | null;
  @Timestamp({ description: 'When the block ended.', nullable: true }) endedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the block was created.' }) createdAt: string;
  @Timestamp({ description: 'When the block was last changed.' }) updatedAt: string;
}
