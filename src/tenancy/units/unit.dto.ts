import {
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  OneOf,
  PageOf,
  PartialType,
  SearchText,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef, ExternalRefChange, mostReferences, ReferredTo } from '../references/external-ref.dto.js';
import { type CleaningStatus, cleaningStatuses, ThisProperty } from '../properties/property.dto.js';
import { type Blocker, blockers, type Readiness, readinesses } from '../readiness/readiness.dto.js';

class UnitFields {
  @Text({ description: 'Name of the unit.', max: 200 })
  name: string;

  @Id('unittype', {
    description: 'Type of the unit (unittype_…), from listUnitTypes; default: none.',
    optional: true,
    nullable: true,
  })
  unitTypeId?: string | null;

  @Text({ description: 'Floor that the unit is on.', max: 20, optional: true, nullable: true })
  floor?: string | null;

  @Int({ description: 'Position in lists, lowest first; default: 0.', optional: true, min: 0, max: 1_000_000 })
  sortOrder?: number;

  @ListOf(
    { id: 'unit' },
    {
      description: 'Units of the property with a connecting door (unit_…), from listUnits.',
      optional: true,
      max: 20,
    },
  )
  connectsTo?: string[];

  @Int({ description: 'Maximum number of guests.', optional: true, nullable: true, min: 1, max: 10_000 })
  capacity?: number | null;

  @OneOf(cleaningStatuses, { description: 'Cleaning status; default: clean.', optional: true })
  cleaningStatus?: CleaningStatus;

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

export class ThisUnit extends ThisProperty {
  @Id('unit', { description: 'Unit id (unit_…), from listUnits.' }) unitId: string;
}

export class CreateUnit extends IntersectionType(ThisProperty, UnitFields) {}

export class UpdateUnit extends IntersectionType(ThisUnit, PartialType(UnitFields)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class ListUnits extends IntersectionType(ThisProperty, PageOf(['createdAt']), ReferredTo) {
  @Flag({
    description: 'true: only archived units; default: only others.',
    optional: true,
  })
  archived?: boolean;

  @Timestamp({ description: 'Only units changed since this time, including archived ones.', optional: true })
  updatedSince?: string;
}

export class SetUnitStatus extends ThisUnit {
  @OneOf(cleaningStatuses, { description: 'Cleaning status; default: unchanged.', optional: true })
  cleaningStatus?: CleaningStatus;
  @Flag({
    description:
      'Whether the guests do not want to be disturbed, until midnight or their departure; default: unchanged.',
    optional: true,
  })
  doNotDisturb?: boolean;
  @Flag({
    description:
      'Whether the guests ask for the room to be made up, until midnight or their departure; default: unchanged.',
    optional: true,
  })
  makeUpRoom?: boolean;
}

export class ListAllUnits extends IntersectionType(PageOf(['createdAt', 'updatedAt', 'name']), ReferredTo) {
  @Id('property', { description: 'Only units of this property (property_…), from listProperties.', optional: true })
  propertyId?: string;
  @OneOf(cleaningStatuses, { description: 'Only this cleaning status.', optional: true })
  cleaningStatus?: CleaningStatus;
  @SearchText({ description: 'Only units whose name contains this text.', optional: true }) q?: string;
  @Flag({
    description: 'true: only archived units; default: only others.',
    optional: true,
  })
  archived?: boolean;
  @Timestamp({ description: 'Only units changed since this time, including archived ones.', optional: true })
  updatedSince?: string;
}

export class UnitView {
  @Id('unit', { description: 'Unit id (unit_…).' }) id: string;
  @Id('property', { description: 'Property of the unit (property_…).' }) propertyId: string;
  @Id('unittype', { description: 'Type of the unit (unittype_…); null for none.', nullable: true }) unitTypeId:
    | string
    | null;
  @Text({ description: 'Name of the unit.', max: 200 }) name: string;
  @Text({ description: 'Floor that the unit is on.', max: 20, nullable: true }) floor: string | null;
  @Int({ description: 'Position in lists, lowest first.', min: 0, max: 1_000_000 }) sortOrder: number;
  @ListOf({ id: 'unit' }, { description: 'Units with a connecting door (unit_…).', max: 20 }) connectsTo: string[];
  @Int({ description: 'Maximum number of guests.', nullable: true, min: 1, max: 10_000 }) capacity: number | null;
  @OneOf(cleaningStatuses, { description: 'Cleaning status.' }) cleaningStatus: CleaningStatus;
  @Flag({ description: 'Whether the guests do not want to be disturbed.' }) doNotDisturb: boolean;
  @Timestamp({ description: 'When doNotDisturb ends, or ended: the next midnight of the property.', nullable: true })
  doNotDisturbUntil: string | null;
  @Flag({ description: 'Whether the guests ask for the room to be made up.' }) makeUpRoom: boolean;
  @Timestamp({ description: 'When makeUpRoom ends, or ended: the next midnight of the property.', nullable: true })
  makeUpRoomUntil: string | null;
  @OneOf(readinesses, { description: 'Whether guests can be let in; notReadyBecause says why not.' })
  readiness: Readiness;
  @ListOf({ oneOf: blockers }, { description: 'Reasons why guests cannot be let in.', max: blockers.length })
  notReadyBecause: Blocker[];
  @ListOf({ text: 50 }, { description: 'Tags for searching.', max: 50 }) tags: string[];
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the unit in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Timestamp({ description: 'When the unit was archived.', nullable: true }) archivedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the unit was added.' }) createdAt: string;
  @Timestamp({ description: 'When the unit was last changed.' }) updatedAt: string;
}
