import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { type Outcome, outcomeOf, valueOf, valuesOf } from '#errors';
import { merging, deletionOf, type DeletionView, type Page } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import type { CreateGuest, ListedGuest, ListGuests, UpdateGuest } from './guest.dto.js';
import { type Guest, newGuest, tidied } from './guest.entity.js';
import { References, referencesOf } from '../../tenancy/references/references.service.js';
import { GuestsRepository } from './guests.repository.js';
import { guestCreated, guestErased, guestUpdated, reservationUpdated } from './reservations.events.js';
import { guestIsMerged, guestNeedsAStay, guestNotFound, guestStaysElsewhere } from './reservations.errors.js';
import { GuestStaysRepository } from './guest-stays.repository.js';

@Injectable()
export class GuestsService {
  constructor(
    private readonly guests: GuestsRepository,
    private readonly stays: GuestStaysRepository,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, input: CreateGuest): Promise<Guest> {
    return valueOf((await this.createAll(caller, [input]))[0]);
  }

  /**
   * The same for many, together.
   *
   * @throws ServiceError if one of them must not have its references: nothing may be kept then.
   */
  async createAll(caller: Caller, inputs: readonly CreateGuest[]): Promise<Outcome<Guest>[]> {
    const outcomes = inputs.map(({ externalRefs: refs, ...input }) =>
      outcomeOf(() => {
        if (caller.propertyIds) throw guestNeedsAStay();
        return { guest: newGuest(caller.orgId, { ...tidied(input), externalRefs: referencesOf(refs) }), refs };
      }),
    );
    const added = valuesOf(outcomes);
    const named = added.map(({ guest: { id }, refs }) => ({ id, refs }));
    await this.references.name(caller, 'guest', named);
    await this.addAll(
      caller,
      added.map(({ guest }) => guest),
    );
    return outcomes.map((one) => ('refusal' in one ? one : { value: one.value.guest }));
  }

  /** New guests that nothing refers to yet, together. */
  async addAll(caller: Caller, guests: readonly Guest[]): Promise<void> {
    await this.guests.insertAllAtCommit(guests);
    await this.events.recordNew(caller, guests, guestCreated);
  }

  /** Guests that remain until the transaction ends, by their ids. */
  async locked(caller: Caller, guestIds: readonly string[]): Promise<Map<string, Guest>> {
    const found = guestIds.length > 0 ? await this.guests.findLocked(caller, [...new Set(guestIds)]) : [];
    return new Map(found.map((guest) => [guest.id, guest]));
  }

  async list(caller: Caller, input: ListGuests): Promise<Page<ListedGuest>> {
    await this.references.admit(caller, input);
    return await this.guests.list(caller, input);
  }

  async get(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.find(caller, guestId);
    if (!guest) throw guestNotFound();
    return guest;
  }

  async update(caller: Caller, { guestId, externalRefs: given, ...changes }: UpdateGuest): Promise<Guest> {
    const guest = await this.forChange(caller, guestId);
    await this.refuseStaysElsewhere(caller, guestId);
    const externalRefs = await this.references.merged(caller, 'guest', guest, given);
    const before = await this.guests.update(guest, merging(guest, { ...tidied(changes), externalRefs }));
    this.events.record(caller, guestUpdated, guest, before);
    return guest;
  }

  async erase(caller: Caller, guestId: string): Promise<DeletionView> {
    await this.guests.lockStays(caller.orgId, [guestId]);
    const guest = await this.forChange(caller, guestId);
    await this.refuseStaysElsewhere(caller, guestId);
    const stays = await this.stays.forget(guest);
    for (const { before, after } of stays) this.events.record(caller, reservationUpdated, after, before);
    await this.guests.erase(guest, [...new Set(stays.map(({ before }) => before.propertyId))]);
    await this.references.forget(caller.orgId, 'guest', guestId);
    this.events.record(caller, guestErased, null, guest);
    this.events.forgetValues(caller, [guestId, ...stays.map(({ after }) => after.id)]);
    return deletionOf(guestId);
  }

  /** Every stay of a guest shows what is changed about them, so the credential must see all of their stays. */
  async refuseStaysElsewhere(caller: Caller, guestId: string): Promise<void> {
    if (await this.staysElsewhere(caller, guestId)) throw guestStaysElsewhere();
  }

  staysElsewhere(caller: Caller, guestId: string): Promise<boolean> {
    return this.guests.staysElsewhere(caller, guestId);
  }

  private async forChange(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.findForChange(caller, guestId);
    if (!guest) throw guestNotFound();
    expectVersion(caller, guest);
    if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);
    return guest;
  }
}
