import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ThisReservation } from '../reservation-changes.dto.js';
import type { AssignUnit, AssignUnits, ListAvailableUnits } from './assignment.dto.js';
import { assignUnit, assignUnits, listAvailableUnits, unassignUnit } from './assignments.operations.js';
import { Assignments } from './assignments.service.js';
import { ArrivalAssignments } from './arrival-assignments.service.js';

@Controller()
export class AssignmentsController {
  constructor(
    private readonly assignments: Assignments,
    private readonly arrivals: ArrivalAssignments,
  ) {}

  @Handles(assignUnit) assign(caller: Caller, input: AssignUnit) {
    return this.assignments.assign(caller, input);
  }

  @Handles(unassignUnit) unassign(caller: Caller, { reservationId }: ThisReservation) {
    return this.assignments.unassign(caller, reservationId);
  }

  @Handles(listAvailableUnits) available(caller: Caller, input: ListAvailableUnits) {
    return this.assignments.available(caller, input);
  }

  @Handles(assignUnits) assignAll(caller: Caller, input: AssignUnits) {
    return this.arrivals.assign(caller, input);
  }
}
