import { Id, Int, ListOf, OmitType, Timestamp } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { type HowUndone, type UndoneAsChanged, cannotBeUndone, putBack, remains } from '../../platform/events/undo.js';
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
  'externalRefs',
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

/** A stay that another system keeps in step is as that system says, unless it writes to us: then it learns by comparing. */
const unlessOwned =
  (undo: UndoneAsChanged): HowUndone =>
  (change) =>
    change.after.connectionId && !change.after.pushed
      ? cannotBeUndone('The stay was imported from another system. Change it there.')
      : undo(change);
const overlaps = remains('It lasts as long as the stays overlap.');

const stay = { subject: 'reservation', scope: 'reservations:read' as const, data: ReservationEventData };

export const reservationCreated = event('reservation.created', {
  ...stay,
  kind: 'opening',
  description: 'A stay was booked.',
  undo: unlessOwned(putBack('reservation.cancelled')),
});
export const reservationUpdated = event('reservation.updated', {
  ...stay,
  description: 'A reservation was changed.',
  undo: putBack('reservation.updated'),
});
export const reservationMoved = event('reservation.moved', {
  ...stay,
  description: 'A stay was moved to other dates or another place.',
  undo: unlessOwned(putBack('reservation.moved')),
});
export const reservationCancelled = event('reservation.cancelled', {
  ...stay,
  description: 'A reservation was cancelled.',
  undo: unlessOwned(putBack('reservation.reinstated')),
});
export const overlapFlagged = event('reservation.overlap_flagged', {
  ...stay,
  description: 'A stay overlaps another confirmed stay at the same place.',
  undo: overlaps,
});
export const overlapCleared = event('reservation.overlap_cleared', {
  ...stay,
  description: 'A stay no longer overlaps another confirmed stay.',
  undo: overlaps,
});

export const reservationReinstated = event('reservation.reinstated', {
  ...stay,
  description: 'A cancelled reservation was reinstated.',
  undo: unlessOwned(putBack('reservation.cancelled')),
});
export const unitAssigned = event('reservation.unit_assigned', {
  ...stay,
  description: 'A unit was assigned to a stay.',
  undo: ({ before }) => ({ event: before.unitId ? 'reservation.unit_assigned' : 'reservation.unit_unassigned' }),
});
export const unitUnassigned = event('reservation.unit_unassigned', {
  ...stay,
  description: 'The unit of a stay was unassigned; the stay waits for another unit of its type.',
  undo: putBack('reservation.unit_assigned'),
});
export const checkOutUndone = event('reservation.check_out_undone', {
  ...stay,
  description: 'A check-out was undone.',
  undo: putBack('reservation.checked_out'),
});
export const noShowUndone = event('reservation.no_show_undone', {
  ...stay,
  description: 'A no-show was undone.',
  undo: putBack('reservation.no_show_marked'),
});

export const stayBecame = {
  checked_in: event('reservation.checked_in', {
    ...stay,
    description: 'The guests checked in.',
    undo: putBack('reservation.check_in_undone'),
  }),
  not_arrived: event('reservation.check_in_undone', {
    ...stay,
    description: 'A check-in was undone.',
    undo: putBack('reservation.checked_in'),
  }),
  checked_out: event('reservation.checked_out', {
    ...stay,
    description: 'The guests checked out.',
    undo: putBack('reservation.check_out_undone'),
  }),
  no_show: event('reservation.no_show_marked', {
    ...stay,
    description: 'A stay was marked as a no-show, or the nights of a no-show were released.',
    undo: ({ before }) => ({
      event: before.stayStatus === 'no_show' ? 'reservation.no_show_marked' : 'reservation.no_show_undone',
    }),
  }),
} satisfies Record<StayStatus, unknown>;

const guest = { subject: 'guest', scope: 'guests:read' as const, data: GuestEventData };

export const guestCreated = event('guest.created', {
  ...guest,
  kind: 'opening',
  description: 'A guest was added.',
  undo: putBack('guest.erased'),
});
export const guestUpdated = event('guest.updated', {
  ...guest,
  description: 'A guest was changed.',
  undo: putBack('guest.updated'),
});
export const guestMerged = event('guest.merged', {
  ...guest,
  description: 'A guest was merged into another one, who now has their stays and messages.',
  undo: cannotBeUndone('Merged guests cannot be separated.'),
});
export const guestErased = event('guest.erased', {
  ...guest,
  kind: 'ending',
  description: 'A guest was erased.',
  undo: cannotBeUndone('Erased data cannot be restored.'),
});
