import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { featureOf, Handles } from '#operations';
import { BulkSaves } from '../bulk-saves.service.js';
import type { ThisReference } from '../by-reference.dto.js';
import { SavesByReference } from '../saves-by-reference.service.js';
import { PlaceSavers } from './place-savers.js';
import {
  PropertyItem,
  type SavePropertiesInBulk,
  type SavePropertyByRef,
  type SaveUnitByRef,
  type SaveUnitsInBulk,
  type SaveUnitTypeByRef,
  type SaveUnitTypesInBulk,
  UnitItem,
  UnitTypeItem,
} from './places.dto.js';
import {
  getPropertyByRef,
  getUnitByRef,
  getUnitTypeByRef,
  savePropertiesInBulk,
  savePropertyByRef,
  saveUnitByRef,
  saveUnitTypeByRef,
  saveUnitsInBulk,
  saveUnitTypesInBulk,
} from './places.operations.js';

@Controller()
export class PlaceReferencesController {
  constructor(
    private readonly saves: SavesByReference,
    private readonly bulk: BulkSaves,
    private readonly savers: PlaceSavers,
  ) {}

  @Handles(savePropertyByRef) saveProperty(caller: Caller, input: SavePropertyByRef) {
    return this.saves.save(caller, this.savers.properties, input);
  }

  @Handles(getPropertyByRef) getProperty(caller: Caller, input: ThisReference) {
    return this.saves.get(caller, this.savers.properties, input);
  }

  @Handles(saveUnitTypeByRef) saveUnitType(caller: Caller, input: SaveUnitTypeByRef) {
    return this.saves.save(caller, this.savers.unitTypes, input);
  }

  @Handles(getUnitTypeByRef) getUnitType(caller: Caller, input: ThisReference) {
    return this.saves.get(caller, this.savers.unitTypes, input);
  }

  @Handles(saveUnitByRef) saveUnit(caller: Caller, input: SaveUnitByRef) {
    return this.saves.save(caller, this.savers.units, input);
  }

  @Handles(getUnitByRef) getUnit(caller: Caller, input: ThisReference) {
    return this.saves.get(caller, this.savers.units, input);
  }

  @Handles(savePropertiesInBulk) saveProperties(caller: Caller, input: SavePropertiesInBulk) {
    return this.bulk.save(
      caller,
      this.savers.properties,
      { shape: PropertyItem, action: actionOf(savePropertiesInBulk) },
      input,
    );
  }

  @Handles(saveUnitTypesInBulk) saveUnitTypes(caller: Caller, input: SaveUnitTypesInBulk) {
    return this.bulk.save(
      caller,
      this.savers.unitTypes,
      { shape: UnitTypeItem, action: actionOf(saveUnitTypesInBulk) },
      input,
    );
  }

  @Handles(saveUnitsInBulk) saveUnits(caller: Caller, input: SaveUnitsInBulk) {
    return this.bulk.save(caller, this.savers.units, { shape: UnitItem, action: actionOf(saveUnitsInBulk) }, input);
  }
}

const actionOf = ({ name }: { name: string }) => ({ service: featureOf(PlaceReferencesController), method: name });
