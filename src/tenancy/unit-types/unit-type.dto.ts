import {
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  PageOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef, ExternalRefChange, mostReferences, ReferredTo } from '../references/external-ref.dto.js';
import { ThisProperty } from '../properties/property.dto.js';

class UnitTypeFields {
  @Text({ description: 'Name of the unit type.', max: 200, example: 'Double room' })
  name: string;

  @Text({ description: 'Short code, unique at the property.', max: 20, optional: true, nullable: true, example: 'DBL' })
  code?: string | null;

  @Int({
    description: 'Maximum number of guests in a unit.',
    optional: true,
    nullable: true,
    min: 1,
    max: 10_000,
  })
  capacity?: number | null;

  @Text({ description: 'Beds of a unit, such as 1 king.', max: 200, optional: true, nullable: true })
  bedConfiguration?: string | null;

  @ListOf({ text: 50 }, { description: 'Tags for searching.', optional: true, max: 50 })
  tags?: string[];

  @Int({ description: 'Position in lists, lowest first; default: 0.', optional: true, min: 0, max: 1_000_000 })
  sortOrder?: number;

  @ListOfObjects(() => ExternalRefChange, {
    description: 'Ids in other systems.',
    optional: true,
    max: mostReferences,
  })
  externalRefs?: ExternalRefChange[];
}

export class ThisUnitType extends ThisProperty {
  @Id('unittype', { description: 'Unit type id (unittype_…), from listUnitTypes.' }) unitTypeId: string;
}

export class CreateUnitType extends IntersectionType(ThisProperty, UnitTypeFields) {}

export class UpdateUnitType extends IntersectionType(ThisUnitType, PartialType(UnitTypeFields)) {}

export class ListUnitTypes extends IntersectionType(ThisProperty, PageOf(['createdAt', 'sortOrder']), ReferredTo) {
  @Flag({
    description: 'true: only archived unit types; default: only others.',
    optional: true,
  })
  archived?: boolean;
}

export class UnitTypeView {
  @Id('unittype', { description: 'Unit type id (unittype_…).' }) id: string;
  @Id('property', { description: 'Property of the unit type (property_…).' }) propertyId: string;
  @Text({ description: 'Name of the unit type.', max: 200 }) name: string;
  @Text({ description: 'Short code, unique at the property.', max: 20, nullable: true }) code: string | null;
  @Int({ description: 'Maximum number of guests in a unit.', nullable: true, min: 1, max: 10_000 }) capacity:
    | number
    | null;
  @Text({ description: 'Beds of a unit.', max: 200, nullable: true }) bedConfiguration: string | null;
  @ListOf({ text: 50 }, { description: 'Tags for searching.', max: 50 }) tags: string[];
  @Int({ description: 'Position in lists, lowest first.', min: 0, max: 1_000_000 }) sortOrder: number;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the unit type in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Int({ description: 'Number of its units that are not archived.', min: 0, max: 1_000_000 }) unitCount: number;
  @Timestamp({ description: 'When the unit type was archived.', nullable: true }) archivedAt: string | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the unit type was added.' }) createdAt: string;
  @Timestamp({ description: 'When the unit type was last changed.' }) updatedAt: string;
}
