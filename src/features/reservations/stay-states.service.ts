import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { occupiesOf, roomOn } from './occupancy.js';
import type {
  CancelReservation,
  CheckInReservation,
  CheckOutReservation,
  MarkNoShow,
} from './reservation-changes.dto.js';
import type { StayStatus } from './reservation.dto.js';
import type { Reservation } from './reservation.entity.js';
import {
  cannotCancel,
  checkInNotYetDue,
  departedAtImpossible,
  nightsAreTaken,
  notConfirmed,
  ownedByProvider,
  statusCannotFollow,
  stayIs,
  stayNotYetDue,
  unitNotAssigned,
} from './reservations.errors.js';
import {
  checkOutUndone,
  noShowUndone,
  reservationCancelled,
  reservationReinstated,
  stayBecame,
} from './reservations.events.js';
import { StayChanges } from './stay-changes.service.js';
import { StayPlaces } from './stay-places.js';
import { arrivedAtOf, canBeCancelled, isOwnedElsewhere, stateOf } from './stay-rules.js';

/** From one state of a stay to the next, and back. */
@Injectable()
export class StayStates {
  constructor(
    private readonly changes: StayChanges,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
  ) {}

  async checkIn(caller: Caller, { reservationId, early = false }: CheckInReservation): Promise<Reservation> {
    const stay = await this.inState(caller, reservationId, 'not_arrived');
    if (!early && (await this.isBeforeArrival(caller, stay))) throw checkInNotYetDue();
    if (occupiesOf(stay) === 'unit_type') throw unitNotAssigned();
    const changes = { stayStatus: 'checked_in' as const, checkedInAt: new Date().toISOString() };
    return await this.changes.change(caller, stay, changes, { happened: stayBecame.checked_in });
  }

  async undoCheckIn(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.inState(caller, reservationId, 'checked_in');
    const changes = { stayStatus: 'not_arrived' as const, checkedInAt: null };
    return await this.changes.change(caller, stay, changes, { happened: stayBecame.not_arrived });
  }

  async checkOut(caller: Caller, { reservationId, departedAt }: CheckOutReservation): Promise<Reservation> {
    const stay = await this.inState(caller, reservationId, 'checked_in');
    const at = departedAt === undefined ? new Date() : new Date(departedAt);
    const isPossible = at.getTime() >= arrivedAtOf(stay) && at.getTime() <= Date.now();
    if (departedAt !== undefined && !isPossible) throw departedAtImpossible();
    const { timezone } = await this.properties.get(caller, stay.propertyId);
    const changes = {
      stayStatus: 'checked_out' as const,
      departedAt: at.toISOString(),
      departedOn: dayIn(timezone, at),
      nextRoomFrom: null,
    };
    return await this.changes.change(caller, stay, changes, { happened: stayBecame.checked_out });
  }

  async undoCheckOut(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.inState(caller, reservationId, 'checked_out');
    const { timezone } = await this.properties.get(caller, stay.propertyId);
    const today = dayIn(timezone);
    await this.places.stillUsable(caller, stay, today);
    const { nextRoomFrom } = roomOn(stay.rooms, today);
    const changes = { stayStatus: 'checked_in' as const, departedAt: null, departedOn: null, nextRoomFrom };
    return await this.changes.change(caller, stay, changes, { happened: checkOutUndone, refusal: nightsAreTaken });
  }

  async markNoShow(caller: Caller, { reservationId, release = false }: MarkNoShow): Promise<Reservation> {
    const stay = await this.confirmed(caller, reservationId);
    const { stayStatus } = stay;
    if (stayStatus !== 'not_arrived' && !(release && stayStatus === 'no_show')) throw stayIs(stayStatus, 'not_arrived');
    if (await this.isBeforeArrival(caller, stay)) throw stayNotYetDue();
    const changes = { stayStatus: 'no_show' as const, released: release };
    return await this.changes.change(caller, stay, changes, { happened: stayBecame.no_show });
  }

  async undoNoShow(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.inState(caller, reservationId, 'no_show');
    await this.places.stillUsable(caller, stay, stay.checkInDate);
    const changes = { stayStatus: 'not_arrived' as const, released: false };
    return await this.changes.change(caller, stay, changes, { happened: noShowUndone, refusal: nightsAreTaken });
  }

  async cancel(caller: Caller, { reservationId, reason }: CancelReservation): Promise<Reservation> {
    const stay = await this.changes.forChange(caller, reservationId);
    if (isOwnedElsewhere(stay)) throw ownedByProvider(['status']);
    if (!canBeCancelled(stay)) throw cannotCancel(stateOf(stay));
    const changes = {
      status: 'cancelled' as const,
      cancelledAt: new Date().toISOString(),
      cancellationReason: reason ?? null,
    };
    return await this.changes.change(caller, stay, changes, { happened: reservationCancelled });
  }

  /** It is confirmed and its guests are expected, even if it was an inquiry or a no-show. */
  async reinstate(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.changes.forChange(caller, reservationId);
    if (isOwnedElsewhere(stay)) throw ownedByProvider(['status']);
    if (stay.status !== 'cancelled') throw statusCannotFollow(stay.status, 'confirmed');
    const changes = {
      ...(await this.places.stillUsable(caller, stay, stay.checkInDate)),
      status: 'confirmed' as const,
      stayStatus: 'not_arrived' as const,
      released: false,
      cancelledAt: null,
      cancellationReason: null,
    };
    return await this.changes.change(caller, stay, changes, {
      happened: reservationReinstated,
      refusal: nightsAreTaken,
    });
  }

  private async inState(caller: Caller, reservationId: string, needed: StayStatus): Promise<Reservation> {
    const stay = await this.confirmed(caller, reservationId);
    if (stay.stayStatus !== needed) throw stayIs(stay.stayStatus, needed);
    return stay;
  }

  private async confirmed(caller: Caller, reservationId: string): Promise<Reservation> {
    const stay = await this.changes.forChange(caller, reservationId);
    if (stay.status !== 'confirmed') throw notConfirmed(stay.status);
    return stay;
  }

  private async isBeforeArrival(caller: Caller, { propertyId, checkInDate }: Reservation): Promise<boolean> {
    const { timezone } = await this.properties.get(caller, propertyId);
    return dayIn(timezone) < checkInDate;
  }
}
