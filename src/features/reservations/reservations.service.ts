import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Outcome, valueOf } from '#errors';
import { merging, type Page } from '#operations';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { References } from '../../tenancy/references/references.service.js';
import { type NewStay, NewStays } from './new-stays.service.js';
import { Parties } from './parties.service.js';
import type { CountReservations, ListReservations, ReservationCountsView } from './reservation-lists.dto.js';
import type { CreateReservation, UpdateReservation } from './reservation-changes.dto.js';
import type { Reservation } from './reservation.entity.js';
import { reservationUpdated } from './reservations.events.js';
import { cancelInstead, ownedByProvider, statusCannotFollow } from './reservations.errors.js';
import { ReservationsRepository } from './reservations.repository.js';
import { StayChanges } from './stay-changes.service.js';
import { StayPlaces } from './stay-places.js';
import { canFollow, providerOwned } from './stay-rules.js';
import { otherTimes, StayTimes } from './stay-times.js';

@Injectable()
export class ReservationsService {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly changes: StayChanges,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
    private readonly newStays: NewStays,
    private readonly parties: Parties,
    private readonly times: StayTimes,
    private readonly references: References,
  ) {}

  async create(caller: Caller, input: CreateReservation, more: Omit<NewStay, 'input'> = {}): Promise<Reservation> {
    const locked = await this.places.lock(caller, [input.propertyId]);
    const reservation = valueOf((await this.newStays.add(caller, [{ input, ...more }], locked))[0]);
    if (reservation.exempt) return await this.get(caller, reservation.id);
    await this.reservations.shown(caller.orgId, [reservation]);
    return reservation;
  }

  /** The same for many, whose properties are locked. */
  createAll(caller: Caller, stays: readonly NewStay[]): Promise<Outcome<Reservation>[]> {
    return this.newStays.add(caller, stays);
  }

  async list(caller: Caller, input: ListReservations): Promise<Page<Reservation>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    await this.references.admit(caller, input);
    return await this.reservations.list(caller, input);
  }

  async count(caller: Caller, input: CountReservations): Promise<ReservationCountsView> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.reservations.count(caller, input);
  }

  /** The properties of these stays. */
  propertiesOf(caller: Caller, reservationIds: readonly string[]): Promise<string[]> {
    return this.reservations.propertiesOf(caller, reservationIds);
  }

  get(caller: Caller, reservationId: string): Promise<Reservation> {
    return this.changes.get(caller, reservationId);
  }

  async update(
    caller: Caller,
    {
      reservationId,
      primaryGuest,
      companions,
      arrivalAt,
      departureAt,
      externalRefs: given,
      ...input
    }: UpdateReservation,
  ): Promise<Reservation> {
    const reservation = await this.changes.forChange(caller, reservationId);
    const owned = providerOwned(reservation, { ...input, primaryGuest, arrivalAt, departureAt });
    if (owned.length > 0) throw ownedByProvider(owned);
    if (input.status && !canFollow(reservation.status, input.status))
      throw input.status === 'cancelled' ? cancelInstead() : statusCannotFollow(reservation.status, input.status);
    const asked = otherTimes(reservation, { arrivalAt, departureAt });
    const property = Object.keys(asked).length > 0 && (await this.properties.get(caller, reservation.propertyId));
    const times = property && (await this.times.changed(property, reservation, asked));
    const party = await this.parties.of(caller, { primaryGuest, companions }, reservation);
    const externalRefs = await this.references.merged(caller, 'reservation', reservation, given);
    const changes = merging(reservation, { ...input, ...times, ...party, externalRefs });
    return await this.changes.change(caller, reservation, changes, { happened: reservationUpdated });
  }
}
