import type { Saved } from '#operations';
import type { ChangeType } from '../../../platform/events/event-type.js';
import { occupiesOf } from '../occupancy.js';
import type { ReservationStatus, StayStatus } from '../reservation.dto.js';
import type { Reservation } from '../reservation.entity.js';
import { guestsHaveCome, notConfirmed, unitNotAssigned } from '../reservations.errors.js';
import {
  checkOutUndone,
  noShowUndone,
  reservationCancelled,
  type ReservationEventData,
  reservationMoved,
  reservationReinstated,
  reservationUpdated,
  stayBecame,
  unitAssigned,
} from '../reservations.events.js';

/** A booking in another status. One that comes back is expected, even if it was a no-show. */
export const inStatus = (status: ReservationStatus): Partial<Reservation> =>
  status === 'cancelled'
    ? { status, cancelledAt: new Date().toISOString(), cancellationReason: null }
    : { status, cancelledAt: null, cancellationReason: null, released: false };

const haveCome = (stayStatus: StayStatus): boolean => stayStatus === 'checked_in' || stayStatus === 'checked_out';

/** @throws conflict_error if a booking would be off although its guests have come: nobody could undo that. */
export function refuseOffWithGuests(status: ReservationStatus, stayStatus: StayStatus): void {
  if (status !== 'confirmed' && haveCome(stayStatus)) throw guestsHaveCome(status);
}

type Progressing = Pick<Reservation, 'unitId' | 'unitTypeId' | 'arrivalAt' | 'departureAt' | 'checkOutDate' | 'status'>;

/**
 * A stay whose guests are at another stage. The other system decides, even before the day of arrival.
 *
 * @param today at the property.
 */
export function inProgress(stayStatus: StayStatus, stay: Progressing, today: string): Partial<Reservation> {
  if (stayStatus !== 'not_arrived' && stay.status !== 'confirmed') throw notConfirmed(stay.status);
  if (stayStatus === 'checked_in' && occupiesOf(stay) === 'unit_type') throw unitNotAssigned();
  const now = new Date().toISOString();
  const hasLeft = stayStatus === 'checked_out';
  return {
    stayStatus,
    released: false,
    checkedInAt: haveCome(stayStatus) ? earlier(stay.arrivalAt, now) : null,
    departedAt: hasLeft ? earlier(stay.departureAt, now) : null,
    departedOn: hasLeft ? earlier(stay.checkOutDate, today) : null,
    ...(hasLeft && { nextRoomFrom: null }),
  };
}

const earlier = (one: string, other: string): string => (one < other ? one : other);

/** The event of a change with several parts: that of the most important one. */
export function whatHappened(stay: Reservation, changes: Partial<Reservation>): ChangeType<ReservationEventData> {
  const { status = stay.status, stayStatus = stay.stayStatus } = changes;
  if (status === 'cancelled' && stay.status !== 'cancelled') return reservationCancelled;
  if (stay.status === 'cancelled' && status !== 'cancelled') return reservationReinstated;
  if (stayStatus !== stay.stayStatus) return progressed(stay.stayStatus, stayStatus);
  const differs = (name: keyof Reservation): boolean => changes[name] !== undefined && changes[name] !== stay[name];
  if ((['propertyId', 'checkInDate', 'checkOutDate', 'unitTypeId'] as const).some(differs)) return reservationMoved;
  if (differs('unitId')) return stay.unitId || !changes.unitId ? reservationMoved : unitAssigned;
  return reservationUpdated;
}

function progressed(from: StayStatus, to: StayStatus): ChangeType<ReservationEventData> {
  if (from === 'checked_out' && to === 'checked_in') return checkOutUndone;
  return from === 'no_show' && to === 'not_arrived' ? noShowUndone : stayBecame[to];
}

/** The result of a bulk for a booking that it has changed. */
export type Became = Saved<unknown>['outcome'];

export function becomes(before: ReservationStatus, status: ReservationStatus): Became {
  if (status === 'cancelled' && before !== 'cancelled') return 'cancelled';
  return before === 'cancelled' && status !== 'cancelled' ? 'reinstated' : 'changed';
}
