import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ThisReference, VersionedReference } from '../../../outside/by-reference/by-reference.dto.js';
import { SavesByReference } from '../../../outside/by-reference/saves-by-reference.service.js';
import { PushedGuests } from './pushed-guests.js';
import type { SaveGuestByRef, SaveReservationByRef } from './pushed-stay.dto.js';
import { PushedStays } from './pushed-stays.js';
import {
  cancelReservationByRef,
  getGuestByRef,
  getReservationByRef,
  saveGuestByRef,
  saveReservationByRef,
} from './stay-references.operations.js';

@Controller()
export class StayReferencesController {
  constructor(
    private readonly saves: SavesByReference,
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
}
