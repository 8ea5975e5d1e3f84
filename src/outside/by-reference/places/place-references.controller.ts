import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ThisReference } from '../by-reference.dto.js';
import { SavesByReference } from '../saves-by-reference.service.js';
import { PlaceSavers } from './place-savers.js';
import type { SavePropertyByRef, SaveUnitByRef, SaveUnitTypeByRef } from './places.dto.js';
import {
  getPropertyByRef,
  getUnitByRef,
  getUnitTypeByRef,
  savePropertyByRef,
  saveUnitByRef,
  saveUnitTypeByRef,
} from './places.operations.js';

@Controller()
export class PlaceReferencesController {
  constructor(
    private readonly saves: SavesByReference,
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
}
