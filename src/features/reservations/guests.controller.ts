import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateGuest, ListGuests, MergeGuests, ThisGuest, UpdateGuest } from './guest.dto.js';
import { createGuest, eraseGuest, getGuest, listGuests, mergeGuests, updateGuest } from './guests.operations.js';
import { GuestMergesService } from './guest-merges.service.js';
import { GuestsService } from './guests.service.js';

@Controller()
export class GuestsController {
  constructor(
    private readonly guests: GuestsService,
    private readonly merges: GuestMergesService,
  ) {}

  @Handles(createGuest) create(caller: Caller, input: CreateGuest) {
    return this.guests.create(caller, input);
  }

  @Handles(listGuests) list(caller: Caller, input: ListGuests) {
    return this.guests.list(caller, input);
  }

  @Handles(getGuest) get(caller: Caller, { guestId }: ThisGuest) {
    return this.guests.get(caller, guestId);
  }

  @Handles(updateGuest) update(caller: Caller, input: UpdateGuest) {
    return this.guests.update(caller, input);
  }

  @Handles(mergeGuests) merge(caller: Caller, input: MergeGuests) {
    return this.merges.merge(caller, input);
  }

  @Handles(eraseGuest) erase(caller: Caller, { guestId }: ThisGuest) {
    return this.guests.erase(caller, guestId);
  }
}
