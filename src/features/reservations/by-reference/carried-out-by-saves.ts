import type { Operation } from '#operations';
import { calledOff } from '../../../tenancy/stays/stay.js';
import { carriedOutByPlace, isGiven } from '../assignments/carried-out-by-places.js';
import { createGuest, updateGuest } from '../guests.operations.js';
import type { StayStatus } from '../reservation.dto.js';
import { createReservation, moveReservation, updateReservation } from '../reservations.operations.js';
import {
  cancelReservation,
  checkInReservation,
  checkOutReservation,
  markNoShow,
  reinstateReservation,
  undoCheckIn,
  undoCheckOut,
  undoNoShow,
} from '../stay-states.operations.js';
import type { ReservationContent } from './pushed-stay.dto.js';

/** A rule about guests or stays holds for every way to do the same to one. */
export const savesGuests = (): Operation[] => [createGuest, updateGuest];
export const savesStays = (saves: readonly ReservationContent[]): Operation[] => [...new Set(saves.flatMap(savesStay))];

const progressBy: Record<StayStatus, readonly Operation[]> = {
  not_arrived: [undoCheckIn, undoNoShow],
  checked_in: [checkInReservation, undoCheckOut],
  checked_out: [checkOutReservation],
  no_show: [markNoShow],
};

/** What a save may do to the stay, as far as its fields say. */
function savesStay({ status, stayStatus, ...place }: ReservationContent): Operation[] {
  const { unitId, unitRef, unitTypeId, unitTypeRef, propertyId, propertyRef, checkInDate, checkOutDate } = place;
  const unit = unitId ?? unitRef;
  const elsewhere = [unitTypeId, unitTypeRef, propertyId, propertyRef];
  const isMoved = Boolean(unit) || [...elsewhere, checkInDate, checkOutDate].some(isGiven);
  return [
    createReservation,
    updateReservation,
    calledOff.includes(status) ? cancelReservation : reinstateReservation,
    ...(stayStatus ? progressBy[stayStatus] : []),
    ...(isMoved ? [moveReservation] : []),
    ...carriedOutByPlace(unit, unitId, ...elsewhere),
  ];
}
