import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateUnit, ListUnits, ThisUnit, UpdateUnit } from '../../organizations/unit.dto.js';
import { archiveUnit, createUnit, listUnits, updateUnit } from './units.operations.js';
import { UnitsService } from './units.service.js';

@Controller()
export class UnitsController {
  constructor(private readonly units: UnitsService) {}

  @Handles(createUnit) create(input: CreateUnit, caller: Caller) {
    return this.units.create(caller, input);
  }

  @Handles(listUnits) list(input: ListUnits, caller: Caller) {
    return this.units.list(caller, input);
  }

  @Handles(updateUnit) update(input: UpdateUnit, caller: Caller) {
    return this.units.update(caller, input);
  }

  @Handles(archiveUnit) archive(input: ThisUnit, caller: Caller) {
    return this.units.archive(caller, input);
  }
}
