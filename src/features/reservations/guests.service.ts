import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { deletionOf, type DeletionView, type Page } from '#operations';
import { newId } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import type { CreateGuest, ListGuests, UpdateGuest } from './guest.dto.js';
import { Guest } from './guest.entity.js';
import { GuestsRepository } from './guests.repository.js';
import type { PrimaryGuest } from './reservation.dto.js';
import { guestCreated, guestErased, guestUpdated, reservationUpdated } from './reservations.events.js';
import { guestNeedsAStay, guestNotFound, guestStaysElsewhere, guestWithoutName } from './reservations.errors.js';
import { ReservationsRepository } from './reservations.repository.js';

@Injectable()
export class GuestsService {
  constructor(
    private readonly guests: GuestsRepository,
    private readonly reservations: ReservationsRepository,
    private readonly events: EventsService,
  ) {}

  async create(caller: Caller, input: CreateGuest): Promise<Guest> {
    if (caller.propertyIds) throw guestNeedsAStay();
    return await this.add(caller, input);
  }

  /** The guest that a stay names: one that is known, or a new one. */
  async named(caller: Caller, { id, name, email, phone }: PrimaryGuest): Promise<Guest> {
    if (id) return await this.locked(caller, id);
    if (!name) throw guestWithoutName();
    return await this.add(caller, { name, email, phone });
  }

  list(caller: Caller, input: ListGuests): Promise<Page<Guest>> {
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

  async update(caller: Caller, { guestId, ...changes }: UpdateGuest): Promise<Guest> {
    const guest = await this.forChange(caller, guestId);
    const before = await this.guests.update(guest, changes);
    this.events.record(caller, guestUpdated, guest, before);
    return guest;
  }

  async erase(caller: Caller, guestId: string): Promise<DeletionView> {
    await this.guests.lockStays(caller.orgId, guestId);
    const guest = await this.forChange(caller, guestId);
    if (await this.guests.staysElsewhere(caller, guestId)) throw guestStaysElsewhere();
    for (const { before, after } of await this.reservations.forget(guest))
      this.events.record(caller, reservationUpdated, after, before);
    await this.guests.erase(guest);
    this.events.record(caller, guestErased, null, guest);
    return deletionOf(guestId);
  }

  private async add(caller: Caller, input: CreateGuest): Promise<Guest> {
    const now = new Date().toISOString();
    const guest = await this.guests.insert(
      Object.assign(new Guest(), {
        metadata: {},
        ...input,
        email: input.email ?? null,
        phone: input.phone ?? null,
        locale: input.locale ?? null,
        notes: input.notes ?? null,
        orgId: caller.orgId,
        id: newId('guest'),
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
    return guest;
  }
}
