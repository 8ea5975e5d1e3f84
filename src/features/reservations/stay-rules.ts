import { isSameValue } from '#persistence';
import type { ReservationSource, ReservationStatus } from './reservation.dto.js';
import type { Reservation } from './reservation.entity.js';

const following: Record<ReservationStatus, readonly ReservationStatus[]> = {
  inquiry: ['pending', 'confirmed', 'declined', 'expired'],
  pending: ['confirmed', 'declined', 'expired'],
  confirmed: [],
  cancelled: [],
  declined: [],
  expired: [],
};

/** Whether an update may take a reservation from one status to another; keeping the status is not a change. */
export const canFollow = (from: ReservationStatus, to: ReservationStatus): boolean =>
  from === to || following[from].includes(to);

/** Neither cancelled nor over, so it can still be moved. */
export const isLive = ({ status, stayStatus }: Pick<Reservation, 'status' | 'stayStatus'>): boolean =>
  ['inquiry', 'pending', 'confirmed'].includes(status) && ['not_arrived', 'checked_in'].includes(stayStatus);

type Nights = Pick<Reservation, 'propertyId' | 'unitId' | 'checkInDate' | 'checkOutDate' | 'status'>;

/** Whether a change gives back or takes nights of a place: only then can it clash with another stay. */
export const takesOtherNights = (before: Nights, after: Nights): boolean =>
  (['propertyId', 'unitId', 'checkInDate', 'checkOutDate', 'status'] as const).some(
    (name) => before[name] !== after[name],
  );

/** The place of a stay after a move; at another property it is the whole property, unless a unit is given. */
export function placeAfter(
  { propertyId: from, unitId: fromUnit }: Pick<Reservation, 'propertyId' | 'unitId'>,
  {
    propertyId = from,
    unitId = propertyId === from ? fromUnit : null,
  }: { propertyId?: string; unitId?: string | null },
): Pick<Reservation, 'propertyId' | 'unitId'> {
  return { propertyId, unitId };
}

const calendarFields = ['status', 'arrivalAt', 'departureAt', 'confirmationCode', 'channel'];

/** The fields that the system a reservation came from keeps in step; a calendar knows nothing of guests and money. */
const ownedFields: Record<ReservationSource, readonly string[]> = {
  manual: [],
  ical: calendarFields,
  provider: [...calendarFields, 'primaryGuest', 'guestCounts', 'total'],
};

/** Whether another system still keeps the reservation in step; a disconnected one has handed it over. */
export const isOwnedElsewhere = ({ source, connectionId }: Pick<Reservation, 'source' | 'connectionId'>): boolean =>
  source !== 'manual' && connectionId !== null;

/** The fields of an update that belong to the system of the reservation, and would differ from what it says. */
export function providerOwned(reservation: Reservation, input: Partial<Record<string, unknown>>): string[] {
  if (!isOwnedElsewhere(reservation)) return [];
  const differs = (name: string): boolean =>
    input[name] !== undefined && !isSameValue(input[name], reservation[name as keyof Reservation]);
  return ownedFields[reservation.source].filter(differs);
}
