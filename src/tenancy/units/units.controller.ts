import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateUnit, ListAllUnits, ListUnits, SetUnitStatus, ThisUnit, UpdateUnit } from './unit.dto.js';
import {
  archiveUnit,
  createUnit,
  getUnit,
  listAllUnits,
  listUnits,
  restoreUnit,
  setUnitStatus,
  updateUnit,
} from './units.operations.js';
import { UnitsService } from './units.service.js';

@Controller()
export class UnitsController {
  constructor(private readonly units: UnitsService) {}

  @Handles(createUnit) create(caller: Caller, input: CreateUnit) {
    return this.units.create(caller, input);
  }

  @Handles(listUnits) list(caller: Caller, input: ListUnits) {
    return this.units.list(caller, input);
  }

  @Handles(listAllUnits) listAll(caller: Caller, input: ListAllUnits) {
    return this.units.listAll(caller, input);
  }

  @Handles(getUnit) get(caller: Caller, input: ThisUnit) {
    return this.units.get(caller, input);
  }

  @Handles(updateUnit) update(caller: Caller, input: UpdateUnit) {
    return this.units.update(caller, input);
  }

  @Handles(setUnitStatus) setStatus(caller: Caller, input: SetUnitStatus) {
    return this.units.setStatus(caller, input);
  }

  @Handles(archiveUnit) archive(caller: Caller, input: ThisUnit) {
    return this.units.archive(caller, input);
  }

  @Handles(restoreUnit) restore(caller: Caller, input: ThisUnit) {
    return this.units.restore(caller, input);
  }
}
