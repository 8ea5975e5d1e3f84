import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { featureOf, Handles } from '#operations';
import type { ThisReference, VersionedReference } from '../../../outside/by-reference/by-reference.dto.js';
import { BulkSaves } from '../../../outside/by-reference/bulk-saves.service.js';
import { PushConnections } from '../../../outside/by-reference/push-connections.js';
import { SavesByReference } from '../../../outside/by-reference/saves-by-reference.service.js';
import { PushedGuests } from './pushed-guests.js';
import {
  GuestItem,
  ReservationItem,
  type SaveGuestByRef,
  type SaveGuestsInBulk,
  type SaveReservationByRef,
  type SaveReservationsInBulk,
} from './pushed-stay.dto.js';
import type { ReconcileReservations } from './reconciliation.dto.js';
import { ReconciliationsRepository } from './reconciliations.repository.js';
import { PushedStays } from './pushed-stays.js';
import {
  cancelReservationByRef,
  getGuestByRef,
  getReservationByRef,
  reconcileReservations,
  saveGuestByRef,
  saveGuestsInBulk,
  saveReservationByRef,
  saveReservationsInBulk,
} from './stay-references.operations.js';

@Controller()
export class StayReferencesController {
  constructor(
    private readonly saves: SavesByReference,
    private readonly bulk: BulkSaves,
    private readonly connections: PushConnections,
    private readonly reconciliations: ReconciliationsRepository,
    private readonly guests: PushedGuests,
    private readonly stays: PushedStays,
  ) {}

  @Handles(saveGuestByRef) saveGuest(caller: Caller, input: SaveGuestByRef) {
    return this.saves.save(caller, this.guests, input);
  }

  @Handles(getGuestByRef) getGuest(caller: Caller, input: ThisReference) {
    return this.saves.get(caller, this.guests, input);
  }

  @Handles(saveReservationByRef) saveReservation(caller: Caller, input: SaveReservationByRef) {
    return this.saves.save(caller, this.stays, input);
  }

  @Handles(getReservationByRef) getReservation(caller: Caller, input: ThisReference) {
    return this.saves.get(caller, this.stays, input);
  }

  @Handles(cancelReservationByRef) cancelReservation(caller: Caller, input: VersionedReference) {
    return this.saves.cancel(caller, this.stays, input);
  }

  @Handles(saveGuestsInBulk) saveGuests(caller: Caller, input: SaveGuestsInBulk) {
    return this.bulk.save(caller, this.guests, { shape: GuestItem, action: actionOf(saveGuestsInBulk) }, input);
  }

  @Handles(saveReservationsInBulk) saveReservations(caller: Caller, input: SaveReservationsInBulk) {
    return this.bulk.save(
      caller,
      this.stays,
      { shape: ReservationItem, action: actionOf(saveReservationsInBulk) },
      input,
    );
  }

  @Handles(reconcileReservations) async reconcile(caller: Caller, input: ReconcileReservations) {
    await this.connections.forReading(caller, input.connectionId);
    const compared = await this.reconciliations.compare(caller, input);
    return { ...compared, ...(await this.reconciliations.unknown(caller, input)) };
  }
}

const actionOf = ({ name }: { name: string }) => ({ service: featureOf(StayReferencesController), method: name });
