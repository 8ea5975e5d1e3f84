import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateUnit, ListUnits, ThisUnit, UpdateUnit } from './unit.dto.js';
import { archiveUnit, createUnit, listUnits, updateUnit } from './units.operations.js';
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

  @Handles(updateUnit) update(caller: Caller, input: UpdateUnit) {
    return this.units.update(caller, input);
  }

  @Handles(archiveUnit) archive(caller: Caller, input: ThisUnit) {
    return this.units.archive(caller, input);
  }
}
