import type { ReservationStatus } from './reservation.dto.js';
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

/** What the system that brought a reservation keeps in step by itself. */
const ownedFields = [
  'status',
  'primaryGuest',
  'guestCounts',
  'arrivalAt',
  'departureAt',
  'confirmationCode',
  'channel',
  'total',
];

/** Whether another system still keeps the reservation in step; a disconnected one has handed it over. */
export const isOwnedElsewhere = ({ source, connectionId }: Pick<Reservation, 'source' | 'connectionId'>): boolean =>
  source !== 'manual' && connectionId !== null;

/** The fields of an update that belong to the system that the reservation came from. */
export const providerOwned = (reservation: Pick<Reservation, 'source' | 'connectionId'>, input: object): string[] =>
  isOwnedElsewhere(reservation)
    ? ownedFields.filter((name) => (input as Record<string, unknown>)[name] !== undefined)
    : [];
