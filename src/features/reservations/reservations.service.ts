import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { violates } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { Followers, type StayChange, type StayFollower } from '../../tenancy/followers/followers.js';
import { GuestsService } from './guests.service.js';
import { type Place, StayPlaces } from './stay-places.js';
import { otherTimes, StayTimes } from './stay-times.js';
import type {
  CancelReservation,
  CountReservations,
  CreateReservation,
  ListReservations,
  MoveReservation,
  ReservationCountsView,
  StayStatus,
  UpdateReservation,
} from './reservation.dto.js';
import { newReservation, Reservation } from './reservation.entity.js';
import {
  reservationCancelled,
  reservationCreated,
  type ReservationEventData,
  reservationMoved,
  reservationUpdated,
  stayBecame,
} from './reservations.events.js';
import {
  cancelInstead,
  cannotCancel,
  cannotMove,
  movedMeanwhile,
  notConfirmed,
  ownedByProvider,
  placeIsTaken,
  reservationNotFound,
  statusCannotFollow,
  stayIs,
} from './reservations.errors.js';
import { placeOf, ReservationsRepository } from './reservations.repository.js';
import { canFollow, isLive, isOwnedElsewhere, placeAfter, providerOwned, takesOtherNights } from './stay-rules.js';

@Injectable()
export class ReservationsService implements StayFollower {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
    private readonly guests: GuestsService,
    private readonly times: StayTimes,
    private readonly followers: Followers,
    private readonly events: EventsService,
  ) {}

  /** What the property moved is told here; what callers change tells itself. */
  async followStay(caller: Caller, { stay, followedProperty }: StayChange): Promise<void> {
    if (!followedProperty) return;
    const after = await this.reservations.findRow(caller, stay.id);
    if (!after) throw reservationNotFound();
    const before = Object.assign(new Reservation(), after, followedProperty);
    this.events.record(caller, reservationUpdated, after, before);
  }

  async create(caller: Caller, input: CreateReservation): Promise<Reservation> {
    const {
      propertyId,
      unitId = null,
      primaryGuest,
      companions,
      arrivalAt = null,
      departureAt = null,
      ...rest
    } = input;
    await this.places.lock(caller, [{ propertyId, unitId }]);
    const property = await this.places.usable(caller, propertyId, unitId);
    const times = await this.times.of(property, { ...input, arrivalAt, departureAt });
    const party = await this.guests.party(caller, { primaryGuest, companions });
    const given = { ...rest, ...times, ...party, propertyId, unitId };
    const reservation = newReservation(caller.orgId, given);
    await this.refuseTaken(reservation);
    await this.write(() => this.reservations.insert(reservation));
    this.events.record(caller, reservationCreated, reservation);
    await this.followers.stayChanged(caller, { stay: reservation });
    await this.reservations.shown(caller.orgId, [reservation]);
    return reservation;
  }

  async list(caller: Caller, input: ListReservations): Promise<Page<Reservation>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.reservations.list(caller, input);
  }

  async count(caller: Caller, input: CountReservations): Promise<ReservationCountsView> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.reservations.count(caller, input);
  }

  async get(caller: Caller, reservationId: string): Promise<Reservation> {
    const reservation = await this.reservations.find(caller, reservationId);
    if (!reservation) throw reservationNotFound();
    return reservation;
  }

  async update(
    caller: Caller,
    { reservationId, primaryGuest, companions, arrivalAt, departureAt, ...input }: UpdateReservation,
  ): Promise<Reservation> {
    const reservation = await this.forChange(caller, reservationId);
    const owned = providerOwned(reservation, { ...input, primaryGuest, arrivalAt, departureAt });
    if (owned.length > 0) throw ownedByProvider(owned);
    if (input.status && !canFollow(reservation.status, input.status))
      throw input.status === 'cancelled' ? cancelInstead() : statusCannotFollow(reservation.status, input.status);
    const asked = otherTimes(reservation, { arrivalAt, departureAt });
    const property = Object.keys(asked).length > 0 && (await this.properties.get(caller, reservation.propertyId));
    const times = property && (await this.times.changed(property, reservation, asked));
    const party = await this.guests.party(caller, { primaryGuest, companions }, reservation);
    return await this.change(caller, reservation, { ...input, ...times, ...party }, reservationUpdated);
  }

  async move(caller: Caller, input: MoveReservation): Promise<Reservation> {
    const { reservationId, checkInDate, checkOutDate } = input;
    const reservation = await this.forChange(caller, reservationId, input);
    const { status, stayStatus } = reservation;
    if (isOwnedElsewhere(reservation)) throw ownedByProvider(['checkInDate', 'checkOutDate', 'propertyId', 'unitId']);
    if (!isLive(reservation)) throw cannotMove(status, stayStatus);
    const { propertyId, unitId } = placeAfter(reservation, input);
    const property = await this.places.usable(caller, propertyId, unitId);
    const times = await this.times.of(property, {
      ...reservation,
      checkInDate,
      checkOutDate,
      arrivalAt: null,
      departureAt: null,
      soFar: reservation,
    });
    return await this.change(caller, reservation, { ...times, propertyId, unitId }, reservationMoved);
  }

  async checkIn(caller: Caller, reservationId: string): Promise<Reservation> {
    return await this.setStay(caller, reservationId, 'not_arrived', 'checked_in');
  }

  async undoCheckIn(caller: Caller, reservationId: string): Promise<Reservation> {
    return await this.setStay(caller, reservationId, 'checked_in', 'not_arrived');
  }

  async checkOut(caller: Caller, reservationId: string): Promise<Reservation> {
    return await this.setStay(caller, reservationId, 'checked_in', 'checked_out');
  }

  async markNoShow(caller: Caller, reservationId: string): Promise<Reservation> {
    return await this.setStay(caller, reservationId, 'not_arrived', 'no_show');
  }

  async cancel(caller: Caller, { reservationId, reason }: CancelReservation): Promise<Reservation> {
    const reservation = await this.forChange(caller, reservationId);
    const { status, stayStatus } = reservation;
    if (isOwnedElsewhere(reservation)) throw ownedByProvider(['status']);
    if (!isLive(reservation) || stayStatus !== 'not_arrived') throw cannotCancel(status, stayStatus);
    const cancelled = {
      status: 'cancelled' as const,
      cancelledAt: new Date().toISOString(),
      cancellationReason: reason ?? null,
    };
    return await this.change(caller, reservation, cancelled, reservationCancelled);
  }

  private async setStay(caller: Caller, reservationId: string, from: StayStatus, to: StayStatus): Promise<Reservation> {
    const reservation = await this.forChange(caller, reservationId);
    if (reservation.status !== 'confirmed') throw notConfirmed(reservation.status);
    if (reservation.stayStatus !== from) throw stayIs(reservation.stayStatus, from);
    return await this.change(caller, reservation, { stayStatus: to }, stayBecame[to]);
  }

  /** Writes a change, prevents overlaps at its places, and notifies the followers of the stay. */
  private async change(
    caller: Caller,
    reservation: Reservation,
    changes: Partial<Reservation>,
    happened: ChangeType<ReservationEventData>,
  ): Promise<Reservation> {
    const wanted = Object.assign(new Reservation(), reservation, changes);
    const isElsewhere = takesOtherNights(reservation, wanted);
    if (isElsewhere) await this.refuseTaken(wanted);
    const exempt = isElsewhere ? isOwnedElsewhere(reservation) : reservation.exempt;
    const before = await this.write(() => this.reservations.update(reservation, { ...changes, exempt }));
    if (before === reservation) return reservation;
    this.events.record(caller, happened, reservation, before);
    for (const place of isElsewhere ? new Set([placeOf(before), placeOf(reservation)]) : [])
      await this.places.markOverlaps(caller, place);
    await this.followers.stayChanged(caller, { stay: reservation, before });
    return await this.get(caller, reservation.id);
  }

  private async refuseTaken(reservation: Reservation): Promise<void> {
    if (reservation.status !== 'confirmed' || isOwnedElsewhere(reservation)) return;
    const clashes = await this.reservations.clashesWith(reservation);
    if (clashes.length > 0) throw placeIsTaken(clashes);
  }

  /** The exclusion constraint is the last word on doubles, whatever was looked up before. */
  private async write<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violates(error, 'stay_segments_own_overlap')) throw placeIsTaken([]);
      throw error;
    }
  }

  /** The stay, with its current and its new place locked: places first, as StayPlaces requires. */
  private async forChange(caller: Caller, reservationId: string, to: Partial<Place> = {}): Promise<Reservation> {
    const seen = await this.get(caller, reservationId);
    await this.places.lock(caller, [seen, placeAfter(seen, to)]);
    const reservation = await this.reservations.find(caller, reservationId, 'for no key update');
    if (!reservation) throw reservationNotFound();
    expectVersion(caller, reservation);
    if (placeOf(reservation) !== placeOf(seen)) throw movedMeanwhile(reservation);
    return reservation;
  }
}
