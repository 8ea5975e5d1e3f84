import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateUnitType, ListUnitTypes, ThisUnitType, UpdateUnitType } from './unit-type.dto.js';
import {
  archiveUnitType,
  createUnitType,
  getUnitType,
  listUnitTypes,
  updateUnitType,
} from './unit-types.operations.js';
import { UnitTypesService } from './unit-types.service.js';

@Controller()
export class UnitTypesController {
  constructor(private readonly unitTypes: UnitTypesService) {}

  @Handles(createUnitType) create(caller: Caller, input: CreateUnitType) {
    return this.unitTypes.create(caller, input);
  }

  @Handles(listUnitTypes) list(caller: Caller, input: ListUnitTypes) {
    return this.unitTypes.list(caller, input);
  }

  @Handles(getUnitType) get(caller: Caller, input: ThisUnitType) {
    return this.unitTypes.get(caller, input);
  }

  @Handles(updateUnitType) update(caller: Caller, input: UpdateUnitType) {
    return this.unitTypes.update(caller, input);
  }

  @Handles(archiveUnitType) archive(caller: Caller, input: ThisUnitType) {
    return this.unitTypes.archive(caller, input);
  }
}
