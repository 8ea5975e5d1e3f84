import { IntersectionType, Items, MetadataChange, OmitType, OneOf, PartialType } from '#operations';
import {
  AtPropertyRef,
  ForGuestRef,
  InUnitRef,
  OfUnitTypeRef,
  VersionedReference,
} from '../../../outside/by-reference/by-reference.dto.js';
import { BulkSave, itemsOf } from '../../../outside/by-reference/bulk.dto.js';
import { CreateGuest } from '../guest.dto.js';
import { CreateReservation } from '../reservation-changes.dto.js';
import { type ReservationStatus, reservationStatuses, type StayStatus, stayStatuses } from '../reservation.dto.js';

const keys = { description: 'Keys to set; null removes.', optional: true };

export class GuestContent extends PartialType(OmitType(CreateGuest, ['metadata'])) {
  @MetadataChange(keys) metadata?: Record<string, string>;
}

/** What a save may contain; a new stay needs a property and dates. */
export class ReservationContent extends IntersectionType(
  PartialType(OmitType(CreateReservation, ['status', 'metadata'])),
  AtPropertyRef,
  IntersectionType(OfUnitTypeRef, InUnitRef),
  ForGuestRef,
) {
  @OneOf(reservationStatuses, {
    description: 'Status of the booking; cancelled cancels it, confirmed reinstates it; default: confirmed.',
    optional: true,
  })
  status?: ReservationStatus;

  @OneOf(stayStatuses, { description: 'Progress of the stay; default: not_arrived.', optional: true })
  stayStatus?: StayStatus;

  @MetadataChange(keys) metadata?: Record<string, string>;
}

export class SaveGuestByRef extends IntersectionType(VersionedReference, GuestContent) {}
export class SaveReservationByRef extends IntersectionType(VersionedReference, ReservationContent) {}

export class GuestItem extends OmitType(SaveGuestByRef, ['connectionId']) {}
export class SaveGuestsInBulk extends BulkSave {
  @Items(() => GuestItem, itemsOf('saveGuestByRef')) items: object[];
}

export class ReservationItem extends OmitType(SaveReservationByRef, ['connectionId']) {}
export class SaveReservationsInBulk extends BulkSave {
  @Items(() => ReservationItem, itemsOf('saveReservationByRef')) items: object[];
}
