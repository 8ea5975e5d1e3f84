import { isSameValue } from '#persistence';
import { calledOff } from '../../tenancy/stays/stay.js';
import type { MoveReservation } from './reservation-changes.dto.js';
import type { ReservationSource, ReservationStatus, StayStatus } from './reservation.dto.js';
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

/** Whether a booking ended before anybody came: nothing is left to cancel. */
export const isCancelled = ({ status }: Pick<Reservation, 'status'>): boolean => calledOff.includes(status);

/** Whether nobody has come, so that the stay can be cancelled. */
export const canBeCancelled = ({ status, stayStatus }: Pick<Reservation, 'status' | 'stayStatus'>): boolean =>
  isLive({ status, stayStatus }) ? stayStatus === 'not_arrived' : status === 'confirmed' && stayStatus === 'no_show';

const progress: Record<StayStatus, string> = {
  not_arrived: 'confirmed',
  checked_in: 'checked in',
  checked_out: 'checked out',
  no_show: 'a no-show',
};

/** In words; how far a stay has come matters only while it is confirmed. */
export const stateOf = ({ status, stayStatus }: Pick<Reservation, 'status' | 'stayStatus'>): string =>
  status === 'confirmed' ? progress[stayStatus] : status;

/** When the guests of a stay came, or are to come if that is sooner. */
export const arrivedAtOf = ({ arrivalAt, checkedInAt }: Pick<Reservation, 'arrivalAt' | 'checkedInAt'>): number =>
  Math.min(Date.parse(arrivalAt), Date.parse(checkedInAt ?? arrivalAt));

/** The type that was sold, whatever the type of the unit. */
export const soldAs = ({ bookedUnitTypeId, unitTypeId }: Reservation): string | null => bookedUnitTypeId ?? unitTypeId;

/** The place of a stay as a client names it; the rest follows from that. */
export interface Place {
  propertyId: string;
  unitId: string | null;
  unitTypeId: string | null;
}

/**
 * The place of a stay after a move. A unit type alone asks for any unit of it; at another property a stay takes the whole
 * property, unless something else is given. A stay without a unit stays sold as its type until both are given as null.
 */
export function placeAfter(
  stay: Place,
  { propertyId = stay.propertyId, unitId, unitTypeId }: Pick<MoveReservation, 'propertyId' | 'unitId' | 'unitTypeId'>,
): Place {
  if (unitId) return { propertyId, unitId, unitTypeId: unitTypeId ?? null };
  if (unitTypeId) return { propertyId, unitId: null, unitTypeId };
  const isWhole = unitId === null && (unitTypeId === null || stay.unitId !== null);
  if (isWhole || propertyId !== stay.propertyId) return { propertyId, unitId: null, unitTypeId: null };
  return { propertyId, unitId: stay.unitId, unitTypeId: stay.unitTypeId };
}

const calendarFields = ['status', 'arrivalAt', 'departureAt', 'confirmationCode', 'channel'];

const datesOnly = ['status', 'arrivalAt', 'departureAt'];

/** The fields that the system a reservation came from keeps in step; a calendar knows nothing of guests and money. */
const ownedFields: Record<ReservationSource, readonly string[]> = {
  manual: [],
  ical: calendarFields,
  provider: [...calendarFields, 'primaryGuest', 'guestCounts', 'total'],
};

/** Whether another system still keeps the reservation in step; a disconnected one has handed it over. */
export const isOwnedElsewhere = ({ source, connectionId }: Pick<Reservation, 'source' | 'connectionId'>): boolean =>
  source !== 'manual' && connectionId !== null;

/** Whether the other system says in which unit the stay is; one that writes to us leaves that to people. */
export const isPlacedElsewhere = (stay: Pick<Reservation, 'source' | 'connectionId' | 'pushed'>): boolean =>
  isOwnedElsewhere(stay) && stay.pushed === null;

/** What a move would change that belongs to the system which writes the stay to us: never the unit. */
export function ownedByPush(
  { pushed, ...stay }: Reservation,
  to: Pick<MoveReservation, 'checkInDate' | 'checkOutDate' | 'propertyId'> & { unitTypeId: string | null },
): string[] {
  if (!pushed || !isOwnedElsewhere(stay)) return [];
  const place = pushed.fields === 'all' ? (['propertyId'] as const) : [];
  const moved = (['checkInDate', 'checkOutDate', ...place] as const).filter(
    (name) => to[name] !== undefined && to[name] !== stay[name],
  );
  const isRetyped =
    pushed.fields === 'all' && to.unitTypeId !== stay.unitTypeId && to.unitTypeId !== stay.bookedUnitTypeId;
  return [...moved, ...(isRetyped ? ['unitTypeId'] : [])];
}

/** Whether a stay waits for a unit of its type before and after a change, on whatever nights. */
export const stillWaits = (before: Place, after: Place): boolean =>
  [before, after].every(({ unitId, unitTypeId }) => !unitId && unitTypeId !== null) &&
  before.unitTypeId === after.unitTypeId;

/** The fields of an update that belong to the system of the reservation, and would differ from what it says. */
export function providerOwned(reservation: Reservation, input: Partial<Record<string, unknown>>): string[] {
  if (!isOwnedElsewhere(reservation)) return [];
  const differs = (name: string): boolean =>
    input[name] !== undefined && !isSameValue(input[name], reservation[name as keyof Reservation]);
  const { pushed, source } = reservation;
  return (pushed?.fields === 'dates' ? datesOnly : ownedFields[source]).filter(differs);
}
