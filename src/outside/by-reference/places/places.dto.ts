import { IntersectionType, Items, MetadataChange, OmitType, PartialType } from '#operations';
import { CreateProperty } from '../../../tenancy/properties/property.dto.js';
import { CreateUnitType } from '../../../tenancy/unit-types/unit-type.dto.js';
import { CreateUnit } from '../../../tenancy/units/unit.dto.js';
import { BulkSave, itemsOf } from '../bulk.dto.js';
import { AtPropertyRef, OfUnitTypeRef, VersionedReference } from '../by-reference.dto.js';

const keys = { description: 'Keys to set; null removes.', optional: true };

/** What a save may contain; a new record needs what createProperty needs. */
export class PropertyContent extends PartialType(OmitType(CreateProperty, ['metadata'])) {
  @MetadataChange(keys) metadata?: Record<string, string>;
}

export class UnitTypeContent extends IntersectionType(PartialType(CreateUnitType), AtPropertyRef) {}

export class UnitContent extends IntersectionType(
  PartialType(OmitType(CreateUnit, ['metadata'])),
  AtPropertyRef,
  OfUnitTypeRef,
) {
  @MetadataChange(keys) metadata?: Record<string, string>;
}

export class SavePropertyByRef extends IntersectionType(VersionedReference, PropertyContent) {}
export class SaveUnitTypeByRef extends IntersectionType(VersionedReference, UnitTypeContent) {}
export class SaveUnitByRef extends IntersectionType(VersionedReference, UnitContent) {}

export class PropertyItem extends OmitType(SavePropertyByRef, ['connectionId']) {}
export class SavePropertiesInBulk extends BulkSave {
  @Items(() => PropertyItem, itemsOf('savePropertyByRef')) items: object[];
}

export class UnitTypeItem extends OmitType(SaveUnitTypeByRef, ['connectionId']) {}
export class SaveUnitTypesInBulk extends BulkSave {
  @Items(() => UnitTypeItem, itemsOf('saveUnitTypeByRef')) items: object[];
}

export class UnitItem extends OmitType(SaveUnitByRef, ['connectionId']) {}
export class SaveUnitsInBulk extends BulkSave {
  @Items(() => UnitItem, itemsOf('saveUnitByRef')) items: object[];
}
