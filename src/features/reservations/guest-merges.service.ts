import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { References } from '../../tenancy/references/references.service.js';
import type { MergeGuests } from './guest.dto.js';
import type { Guest } from './guest.entity.js';
import { GuestsRepository } from './guests.repository.js';
import { GuestsService } from './guests.service.js';
import { guestIsMerged, guestNotFound, mergedWithItself } from './reservations.errors.js';
import { guestMerged, guestUpdated, reservationUpdated } from './reservations.events.js';
import { GuestStaysRepository } from './guest-stays.repository.js';

/** Makes one guest of two who are the same person. */
@Injectable()
export class GuestMergesService {
  constructor(
    private readonly guests: GuestsRepository,
    private readonly service: GuestsService,
    private readonly stays: GuestStaysRepository,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async merge(caller: Caller, { guestId, fromGuestId }: MergeGuests): Promise<Guest> {
    if (guestId === fromGuestId) throw mergedWithItself();
    const both = [guestId, fromGuestId].sort();
    await this.guests.lockStays(caller.orgId, both);
    const found = new Map<string, Guest>();
    for (const id of both) found.set(id, await this.known(caller, id));
    for (const guest of found.values()) await this.refuseUnlessWhole(caller, guest);
    const [guest, from] = [found.get(guestId) as Guest, found.get(fromGuestId) as Guest];
    expectVersion(caller, guest);
    for (const { before, after } of await this.stays.moveGuest(from, guest))
      this.events.record(caller, reservationUpdated, after, before);
    await this.guests.moveReferences(from, guest);
    const externalRefs = await this.references.joined('guest', from, guest);
    const before = await this.guests.update(guest, { ...missingIn(guest, from), externalRefs });
    this.events.record(caller, guestUpdated, guest, before);
    const merged = await this.guests.update(from, { ...nobody, mergedInto: guestId });
    this.events.record(caller, guestMerged, from, merged);
    this.events.forgetValues(caller, [fromGuestId]);
    return guest;
  }

  private async known(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.findForChange(caller, guestId);
    if (!guest) throw guestNotFound();
    return guest;
  }

  /** The credential must see every stay of the guest. */
  private async refuseUnlessWhole(caller: Caller, { id, mergedInto }: Guest): Promise<void> {
    if (mergedInto) throw guestIsMerged(mergedInto);
    await this.service.refuseStaysElsewhere(caller, id);
  }
}

/** What remains of a guest who was merged: nothing that identifies them. */
const nobody = {
  name: 'Merged guest',
  email: null,
  phone: null,
  locale: null,
  notes: null,
  metadata: {},
  externalRefs: [],
};

const missingIn = (guest: Guest, from: Guest): Partial<Guest> => ({
  email: guest.email ?? from.email,
  phone: guest.phone ?? from.phone,
  locale: guest.locale ?? from.locale,
  notes: guest.notes ?? from.notes,
  metadata: Object.keys(guest.metadata).length > 0 ? guest.metadata : from.metadata,
});
