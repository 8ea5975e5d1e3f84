import { Id, Int, ListOf, OmitType, Timestamp } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { mostCompanions, ReservationView, type StayStatus } from './reservation.dto.js';

/** A reservation with its guest as an id, and without the free text in which people write about guests. */
export class ReservationEventData extends OmitType(ReservationView, [
  'primaryGuest',
  'companions',
  'arrivalLocal',
  'departureLocal',
  'warnings',
  'notes',
  'cancellationReason',
  'metadata',
] as const) {
  @Id('guest', { description: 'Guest who booked the stay (guest_…).', nullable: true }) guestId: string | null;
  @ListOf({ id: 'guest' }, { description: 'Other guests of the stay (guest_…).', max: mostCompanions })
  companionIds: string[];
}

/** Callers with permission read the rest with getGuest: data in an event would outlive the guest's erasure. */
export class GuestEventData {
  @Id('guest', { description: 'Guest id (guest_…).' }) id: string;
  @Id('guest', { description: 'Guest that this one was merged into (guest_…).', nullable: true }) mergedInto:
    | string
    | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ description: 'When the guest was last changed.' }) updatedAt: string;
}

const stay = { subject: 'reservation', scope: 'reservations:read' as const, data: ReservationEventData };

export const reservationCreated = event('reservation.created', {
  ...stay,
  kind: 'opening',
  description: 'A stay was booked.',
});
export const reservationUpdated = event('reservation.updated', { ...stay, description: 'A reservation was changed.' });
export const reservationMoved = event('reservation.moved', {
  ...stay,
  description: 'A stay was moved to other dates or another place.',
});
export const reservationCancelled = event('reservation.cancelled', {
  ...stay,
  description: 'A reservation was cancelled.',
});
export const overlapFlagged = event('reservation.overlap_flagged', {
  ...stay,
  description: 'A stay overlaps another confirmed stay at the same place.',
});
export const overlapCleared = event('reservation.overlap_cleared', {
  ...stay,
  description: 'A stay no longer overlaps another confirmed stay.',
});

export const reservationReinstated = event('reservation.reinstated', {
  ...stay,
  description: 'A cancelled reservation was reinstated.',
});
export const unitAssigned = event('reservation.unit_assigned', { ...stay, description: 'A stay was given a unit.' });
export const unitUnassigned = event('reservation.unit_unassigned', {
  ...stay,
  description: 'The unit of a stay was taken back; it waits for another one of its type.',
});
export const checkOutUndone = event('reservation.check_out_undone', {
  ...stay,
  description: 'A check-out was undone.',
});
export const noShowUndone = event('reservation.no_show_undone', { ...stay, description: 'A no-show was undone.' });

export const stayBecame = {
  checked_in: event('reservation.checked_in', { ...stay, description: 'The guests checked in.' }),
  not_arrived: event('reservation.check_in_undone', { ...stay, description: 'A check-in was undone.' }),
  checked_out: event('reservation.checked_out', { ...stay, description: 'The guests checked out.' }),
  no_show: event('reservation.no_show_marked', { ...stay, description: 'A stay was marked as a no-show.' }),
} satisfies Record<StayStatus, unknown>;

const guest = { subject: 'guest', scope: 'guests:read' as const, data: GuestEventData };

export const guestCreated = event('guest.created', { ...guest, kind: 'opening', description: 'A guest was added.' });
export const guestUpdated = event('guest.updated', { ...guest, description: 'A guest was changed.' });
export const guestMerged = event('guest.merged', {
  ...guest,
  description: 'A guest was merged into another one, which has their stays and messages now.',
});
export const guestErased = event('guest.erased', {
  ...guest,
  kind: 'ending',
  description: 'A guest was erased.',
});
