import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ChangeType, EventType } from '../../platform/events/event-type.js';
import type { Fields } from '../../platform/events/images.js';
import { EventsService } from '../../platform/events/events.service.js';
import { CannotGo, type PutBack, PutBacks } from '../../platform/events/put-backs.js';
import type { Guest } from './guest.entity.js';
import { GuestsRepository } from './guests.repository.js';
import { GuestsService } from './guests.service.js';
import { type GuestEventData, guestErased } from './reservations.events.js';
import { guestIsMerged } from './reservations.errors.js';

/** Undoes changes of guests; a guest that was added is erased, unless a stay names it. */
@Injectable()
export class GuestPutBacks implements PutBack<Guest> {
  readonly scope = 'guests:write';

  constructor(
    putBacks: PutBacks,
    private readonly guests: GuestsRepository,
    private readonly service: GuestsService,
    private readonly events: EventsService,
  ) {
    putBacks.add('guest', this);
  }

  stored(fields: Fields): Partial<Guest> {
    return this.guests.columnsOf(fields);
  }

  async find(caller: Caller, { id }: { id: string }): Promise<Guest | undefined> {
    await this.guests.lockStays(caller.orgId, [id]);
    return await this.guests.findForChange(caller, id);
  }

  async write(caller: Caller, guest: Guest, fields: Partial<Guest>, event: EventType): Promise<string | void> {
    if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);
    if (event.name === guestErased.name) return await this.remove(caller, guest);
    const before = await this.guests.update(guest, fields);
    this.events.record(caller, event as ChangeType<GuestEventData>, guest, before);
  }

  private async remove(caller: Caller, { orgId, id }: Guest): Promise<string | void> {
    const stays = await this.guests.staysOf(orgId, id);
    if (stays === 'expected')
      throw new CannotGo('Stays refer to the guest. Erase the guest with eraseGuest.', 'reservation');
    if (stays === 'cancelled')
      return 'The guest is kept, because a cancelled stay refers to them. Erase them with eraseGuest.';
    await this.service.erase(caller, id);
  }
}
