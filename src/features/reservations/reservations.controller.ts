import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type {
  CancelReservation,
  CreateReservation,
  ListReservations,
  MoveReservation,
  ThisReservation,
  UpdateReservation,
} from '../../reservations/reservation.dto.js';
import {
  cancelReservation,
  checkInReservation,
  checkOutReservation,
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

  @Handles(createReservation) create(input: CreateReservation, caller: Caller) {
    return this.reservations.create(caller, input);
  }

  @Handles(listReservations) list(input: ListReservations, caller: Caller) {
    return this.reservations.list(caller, input);
  }

  @Handles(getReservation) get({ reservationId }: ThisReservation, caller: Caller) {
    return this.reservations.get(caller, reservationId);
  }

  @Handles(updateReservation) update(input: UpdateReservation, caller: Caller) {
    return this.reservations.update(caller, input);
  }

  @Handles(moveReservation) move(input: MoveReservation, caller: Caller) {
    return this.reservations.move(caller, input);
  }

  @Handles(checkInReservation) checkIn({ reservationId }: ThisReservation, caller: Caller) {
    return this.reservations.checkIn(caller, reservationId);
  }

  @Handles(undoCheckIn) undoCheckIn({ reservationId }: ThisReservation, caller: Caller) {
    return this.reservations.undoCheckIn(caller, reservationId);
  }

  @Handles(checkOutReservation) checkOut({ reservationId }: ThisReservation, caller: Caller) {
    return this.reservations.checkOut(caller, reservationId);
  }

  @Handles(markNoShow) markNoShow({ reservationId }: ThisReservation, caller: Caller) {
    return this.reservations.markNoShow(caller, reservationId);
  }

  @Handles(cancelReservation) cancel(input: CancelReservation, caller: Caller) {
    return this.reservations.cancel(caller, input);
  }
}
