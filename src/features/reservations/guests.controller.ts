import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateGuest, ListGuests, ThisGuest, UpdateGuest } from '../../reservations/guest.dto.js';
import { createGuest, eraseGuest, getGuest, listGuests, updateGuest } from './guests.operations.js';
import { GuestsService } from './guests.service.js';

@Controller()
export class GuestsController {
  constructor(private readonly guests: GuestsService) {}

  @Handles(createGuest) create(input: CreateGuest, caller: Caller) {
    return this.guests.create(caller, input);
  }

  @Handles(listGuests) list(input: ListGuests, caller: Caller) {
    return this.guests.list(caller, input);
  }

  @Handles(getGuest) get({ guestId }: ThisGuest, caller: Caller) {
    return this.guests.get(caller, guestId);
  }

  @Handles(updateGuest) update(input: UpdateGuest, caller: Caller) {
    return this.guests.update(caller, input);
  }

  @Handles(eraseGuest) erase({ guestId }: ThisGuest, caller: Caller) {
    return this.guests.erase(caller, guestId);
  }
}
