import type { ReservationSource, ReservationStatus } from '../../reservations/reservation.dto.js';
import type { Reservation } from './reservation.entity.js';

const following: Record<ReservationStatus, readonly ReservationStatus[]> = {
  inquiry: ['pending', 'confirmed', 'declined', 'expired'],
  pending: ['confirmed', 'declined', 'expired'],
  confirmed: [],
  cancelled: [],
  declined: [],
  expired: [],
};

/** Whether an update may take a reservation from one status to another; to stay the same is no change. */
export const canFollow = (from: ReservationStatus, to: ReservationStatus): boolean =>
  from === to || following[from].includes(to);

/** Not called off and not over: it can still be moved. */
export const isLive = ({ status, stayStatus }: Pick<Reservation, 'status' | 'stayStatus'>): boolean =>
  ['inquiry', 'pending', 'confirmed'].includes(status) && ['not_arrived', 'checked_in'].includes(stayStatus);

type Nights = Pick<Reservation, 'propertyId' | 'unitId' | 'checkInDate' | 'checkOutDate' | 'status'>;

/** Whether a change gives back or takes nights of a place: only then can it clash with another stay. */
export const takesOtherNights = (before: Nights, after: Nights): boolean =>
  (['propertyId', 'unitId', 'checkInDate', 'checkOutDate', 'status'] as const).some(
    (name) => before[name] !== after[name],
  );

/** Where a stay is after a move; at another property it takes the whole of it, unless a unit is named. */
export function placeAfter(
  { propertyId: from, unitId: fromUnit }: Pick<Reservation, 'propertyId' | 'unitId'>,
  {
    propertyId = from,
    unitId = propertyId === from ? fromUnit : null,
  }: { propertyId?: string; unitId?: string | null },
): Pick<Reservation, 'propertyId' | 'unitId'> {
  return { propertyId, unitId };
}

const told = ['status', 'arrivalAt', 'departureAt', 'confirmationCode', 'channel'];

/** What the system that brought a reservation keeps in step by itself; a calendar knows nothing of guests and money. */
const ownedFields: Record<ReservationSource, readonly string[]> = {
  manual: [],
  ical: told,
  provider: [...told, 'primaryGuest', 'guestCounts', 'total'],
};

/** Whether another system still keeps the reservation in step; a disconnected one has handed it over. */
export const isOwnedElsewhere = ({ source, connectionId }: Pick<Reservation, 'source' | 'connectionId'>): boolean =>
  source !== 'manual' && connectionId !== null;

/** The fields of an update that belong to the system that the reservation came from. */
export const providerOwned = (reservation: Pick<Reservation, 'source' | 'connectionId'>, input: object): string[] =>
  isOwnedElsewhere(reservation)
    ? ownedFields[reservation.source].filter((name) => (input as Record<string, unknown>)[name] !== undefined)
    : [];
