import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CancelReservation,
  CountReservations,
  CreateReservation,
  ListReservations,
  MoveReservation,
  ThisReservation,
  UpdateReservation,
} from './reservation.dto.js';
import {
  cancelReservation,
  checkInReservation,
  checkOutReservation,
  countReservations,
  createReservation,
  getReservation,
  listReservations,
  markNoShow,
  moveReservation,
  undoCheckIn,
  updateReservation,
} from './reservations.operations.js';
import { ReservationsService } from './reservations.service.js';

@Controller()
export class ReservationsController {
  constructor(private readonly reservations: ReservationsService) {}

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
    return this.reservations.move(caller, input);
  }

  @Handles(checkInReservation) checkIn(caller: Caller, { reservationId }: ThisReservation) {
    return this.reservations.checkIn(caller, reservationId);
  }

  @Handles(undoCheckIn) undoCheckIn(caller: Caller, { reservationId }: ThisReservation) {
    return this.reservations.undoCheckIn(caller, reservationId);
  }

  @Handles(checkOutReservation) checkOut(caller: Caller, { reservationId }: ThisReservation) {
    return this.reservations.checkOut(caller, reservationId);
  }

  @Handles(markNoShow) markNoShow(caller: Caller, { reservationId }: ThisReservation) {
    return this.reservations.markNoShow(caller, reservationId);
  }

  @Handles(cancelReservation) cancel(caller: Caller, input: CancelReservation) {
    return this.reservations.cancel(caller, input);
  }
}
