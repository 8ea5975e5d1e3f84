import { OmitType } from '@nestjs/swagger';
import { Id, Int, Timestamp } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { ReservationView, type StayStatus } from '../../reservations/reservation.dto.js';

/** A reservation with its guest as an id, and without the free text in which people write about guests. */
export class ReservationEventData extends OmitType(ReservationView, [
  'primaryGuest',
  'notes',
  'cancellationReason',
  'metadata',
] as const) {
  @Id('guest', { about: 'The guest who is answerable for it.', nullable: true }) guestId: string | null;
}

/** Whoever may know more asks getGuest: what is told here would outlive the guest's erasure. */
export class GuestEventData {
  @Id('guest', { about: 'The guest.' }) id: string;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When the guest last changed.' }) updatedAt: string;
}

const stay = { subject: 'reservation', scope: 'reservations:read' as const, data: ReservationEventData };

export const reservationCreated = event('reservation.created', {
  ...stay,
  tells: 'opening',
  says: 'A stay was booked.',
});
export const reservationUpdated = event('reservation.updated', { ...stay, says: 'A reservation was changed.' });
export const reservationMoved = event('reservation.moved', {
  ...stay,
  says: 'A stay got other dates or another place.',
});
export const reservationCancelled = event('reservation.cancelled', { ...stay, says: 'A reservation was cancelled.' });
export const overlapFlagged = event('reservation.overlap_flagged', {
  ...stay,
  says: 'Another confirmed stay takes the same place on some of its nights.',
});
export const overlapCleared = event('reservation.overlap_cleared', {
  ...stay,
  says: 'No other confirmed stay takes its place any more.',
});

export const stayBecame = {
  checked_in: event('reservation.checked_in', { ...stay, says: 'The guests checked in.' }),
  not_arrived: event('reservation.check_in_undone', { ...stay, says: 'A check-in was taken back.' }),
  checked_out: event('reservation.checked_out', { ...stay, says: 'The guests checked out.' }),
  no_show: event('reservation.no_show_marked', { ...stay, says: 'The guests did not come.' }),
} satisfies Record<StayStatus, unknown>;

const guest = { subject: 'guest', scope: 'guests:read' as const, data: GuestEventData };

export const guestCreated = event('guest.created', { ...guest, tells: 'opening', says: 'A guest was added.' });
export const guestUpdated = event('guest.updated', { ...guest, says: 'What is known of a guest was changed.' });
export const guestErased = event('guest.erased', {
  ...guest,
  tells: 'ending',
  says: 'Everything that tells who a guest was is gone.',
});
