import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CancelReservation,
  CheckInReservation,
  CheckOutReservation,
  CreateReservation,
  MarkNoShow,
  MoveReservation,
  ThisReservation,
  UpdateReservation,
} from './reservation-changes.dto.js';
import type { CountReservations, ListReservations } from './reservation-lists.dto.js';
import {
  countReservations,
  createReservation,
  getReservation,
  listReservations,
  moveReservation,
  updateReservation,
} from './reservations.operations.js';
import { ReservationsService } from './reservations.service.js';
import { StayMoves } from './stay-moves.service.js';
import {
  cancelReservation,
  checkInReservation,
  checkOutReservation,
  markNoShow,
  reinstateReservation,
  undoCheckIn,
  undoCheckOut,
  undoNoShow,
} from './stay-states.operations.js';
import { StayStates } from './stay-states.service.js';

@Controller()
export class ReservationsController {
  constructor(
    private readonly reservations: ReservationsService,
    private readonly moves: StayMoves,
    private readonly states: StayStates,
  ) {}

  @Handles(createReservation) create(caller: Caller, input: CreateReservation) {
    return this.reservations.create(caller, input);
  }

  @Handles(listReservations) list(caller: Caller, input: ListReservations) {
    return this.reservations.list(caller, input);
  }

  // Before getReservation, whose route would take `counts` for an id.
  @Handles(countReservations) count(caller: Caller, input: CountReservations) {
    return this.reservations.count(caller, input);
  }

  @Handles(getReservation) get(caller: Caller, { reservationId }: ThisReservation) {
    return this.reservations.get(caller, reservationId);
  }

  @Handles(updateReservation) update(caller: Caller, input: UpdateReservation) {
    return this.reservations.update(caller, input);
  }

  @Handles(moveReservation) move(caller: Caller, input: MoveReservation) {
    return this.moves.move(caller, input);
  }

  @Handles(checkInReservation) checkIn(caller: Caller, input: CheckInReservation) {
    return this.states.checkIn(caller, input);
  }

  @Handles(undoCheckIn) undoCheckIn(caller: Caller, { reservationId }: ThisReservation) {
    return this.states.undoCheckIn(caller, reservationId);
  }

  @Handles(checkOutReservation) checkOut(caller: Caller, input: CheckOutReservation) {
    return this.states.checkOut(caller, input);
  }

  @Handles(undoCheckOut) undoCheckOut(caller: Caller, { reservationId }: ThisReservation) {
    return this.states.undoCheckOut(caller, reservationId);
  }

  @Handles(markNoShow) markNoShow(caller: Caller, input: MarkNoShow) {
    return this.states.markNoShow(caller, input);
  }

  @Handles(undoNoShow) undoNoShow(caller: Caller, { reservationId }: ThisReservation) {
    return this.states.undoNoShow(caller, reservationId);
  }

  @Handles(cancelReservation) cancel(caller: Caller, input: CancelReservation) {
    return this.states.cancel(caller, input);
  }

  @Handles(reinstateReservation) reinstate(caller: Caller, { reservationId }: ThisReservation) {
    return this.states.reinstate(caller, reservationId);
  }
}
