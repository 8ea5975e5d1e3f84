import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Issue } from '#errors';
import { merging, deletionOf, type DeletionView, type Page } from '#operations';
import { newId } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import type { CreateGuest, ListedGuest, ListGuests, UpdateGuest } from './guest.dto.js';
import { Guest } from './guest.entity.js';
import { unreferred } from '../../tenancy/references/external-ref.dto.js';
import { References } from '../../tenancy/references/references.service.js';
import { GuestsRepository } from './guests.repository.js';
import type { GuestOfStay, UpdateReservation } from './reservation-changes.dto.js';
import type { Reservation } from './reservation.entity.js';
import { guestCreated, guestErased, guestUpdated, reservationUpdated } from './reservations.events.js';
import {
  guestGivenTwice,
  guestIsMerged,
  guestNeedsAStay,
  guestNotFound,
  guestStaysElsewhere,
  guestWithoutName,
} from './reservations.errors.js';
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
    if (caller.propertyIds) throw guestNeedsAStay();
    return await this.add(caller, tidied(input));
  }

  /** The guests that a stay names; those that it leaves out stay the same. */
  async party(
    caller: Caller,
    { primaryGuest, companions }: Pick<UpdateReservation, 'primaryGuest' | 'companions'>,
    soFar: Party = { guestId: null, companionIds: [] },
  ): Promise<Party> {
    const guest = primaryGuest && (await this.named(caller, primaryGuest, ['primaryGuest']));
    const guestId = primaryGuest === undefined ? soFar.guestId : (guest?.id ?? null);
    const others = companions ? [] : soFar.companionIds;
    for (const [index, one] of (companions ?? []).entries())
      others.push((await this.named(caller, one, ['companions', index])).id);
    return { guestId, companionIds: [...new Set(others)].filter((id) => id !== guestId) };
  }

  /** The same as another system says it: the guest of the stay, said otherwise, is changed where the name is the same. */
  async partySaid(caller: Caller, said: Parameters<GuestsService['party']>[1], soFar: Reservation): Promise<Party> {
    const { primaryGuest, companions } = said;
    if (!primaryGuest || primaryGuest.id || !soFar.guestId) return await this.party(caller, said, soFar);
    const known = await this.get(caller, soFar.guestId);
    const details = tidied(primaryGuest);
    if (details.name !== known.name) return await this.party(caller, said, soFar);
    if (!isSameGuest(known, details)) await this.update(caller, { ...details, guestId: known.id });
    return await this.party(caller, { companions }, soFar);
  }

  /** One that is known, or a new one. */
  private async named(caller: Caller, { id, ...given }: GuestOfStay, field: Issue['path']): Promise<Guest> {
    const { name, ...details } = tidied(given);
    if (id) {
      const guest = await this.locked(caller, id);
      if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);
      if (!isSameGuest(guest, { name, ...details })) throw guestGivenTwice();
      return guest;
    }
    if (!name) throw guestWithoutName(field);
    return await this.add(caller, { name, ...details });
  }

  list(caller: Caller, input: ListGuests): Promise<Page<ListedGuest>> {
    return this.guests.list(caller, input);
  }

  async get(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.find(caller, guestId);
    if (!guest) throw guestNotFound();
    return guest;
  }

  private async locked(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.findLocked(caller, guestId);
    if (!guest) throw guestNotFound();
    return guest;
  }

  async update(caller: Caller, { guestId, externalRefs: given, ...changes }: UpdateGuest): Promise<Guest> {
    const guest = await this.forChange(caller, guestId);
    const externalRefs = await this.references.merged(caller, 'guest', guest, given);
    const before = await this.guests.update(guest, merging(guest, { ...tidied(changes), externalRefs }));
    this.events.record(caller, guestUpdated, guest, before);
    return guest;
  }

  async erase(caller: Caller, guestId: string): Promise<DeletionView> {
    await this.guests.lockStays(caller.orgId, [guestId]);
    const guest = await this.forChange(caller, guestId);
    if (await this.guests.staysElsewhere(caller, guestId)) throw guestStaysElsewhere();
    const stays = await this.stays.forget(guest);
    for (const { before, after } of stays) this.events.record(caller, reservationUpdated, after, before);
    await this.guests.erase(guest, [...new Set(stays.map(({ before }) => before.propertyId))]);
    await this.references.forget(caller.orgId, 'guest', guestId);
    this.events.record(caller, guestErased, null, guest);
    this.events.forgetValues(caller, [guestId, ...stays.map(({ after }) => after.id)]);
    return deletionOf(guestId);
  }

  private async add(caller: Caller, { externalRefs, ...input }: CreateGuest): Promise<Guest> {
    const now = new Date().toISOString();
    const id = newId('guest');
    const guest = await this.guests.insert(
      Object.assign(new Guest(), {
        metadata: {},
        mergedInto: null,
        ...input,
        email: input.email ?? null,
        phone: input.phone ?? null,
        locale: input.locale ?? null,
        notes: input.notes ?? null,
        externalRefs: (await this.references.merged(caller, 'guest', unreferred(id), externalRefs)) ?? [],
        orgId: caller.orgId,
        id,
        version: 1,
        createdAt: now,
        updatedAt: now,
      }),
    );
    this.events.record(caller, guestCreated, guest);
    return guest;
  }

  private async forChange(caller: Caller, guestId: string): Promise<Guest> {
    const guest = await this.guests.findForChange(caller, guestId);
    if (!guest) throw guestNotFound();
    expectVersion(caller, guest);
    if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);
    return guest;
  }
}

export type Party = Pick<Reservation, 'guestId' | 'companionIds'>;

/** Details as they are stored: without spaces around them. */
const tidied = <Details extends Partial<CreateGuest>>(details: Details): Details => ({
  ...details,
  ...(details.name && { name: details.name.trim() }),
  ...(details.phone && { phone: details.phone.trim() }),
});

const isSameGuest = (guest: Guest, given: Partial<CreateGuest>): boolean =>
  Object.entries(given).every(
    ([name, value]) => value === undefined || value === (tidied(guest)[name as keyof CreateGuest] ?? null),
  );
