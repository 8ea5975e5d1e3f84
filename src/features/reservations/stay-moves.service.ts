import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { invalidField } from '#errors';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { LocalTimesRepository } from './local-times.repository.js';
import { inAnotherRoom, placeOfRoom, roomOn, roomsUntil } from './occupancy.js';
import type { MoveReservation } from './reservation-changes.dto.js';
import type { Reservation } from './reservation.entity.js';
import { reservationMoved } from './reservations.events.js';
import { cannotMove, movesFromNoNight, ownedByProvider, unitNotAssigned } from './reservations.errors.js';
import { StayChanges } from './stay-changes.service.js';
import { StayPlaces } from './stay-places.js';
import { isLive, isPlacedElsewhere, ownedByPush, placeAfter, stateOf } from './stay-rules.js';
import { StayTimes, type Times } from './stay-times.js';

const firstNight = 'Pass the date of the first night.';
const bothDates =
  'Pass both dates, also if they stay the same; for guests in house, from is enough. To change only the unit, use assignUnit.';

/** Stays on other dates, at another place, or in another room from a night on. */
@Injectable()
export class StayMoves {
  constructor(
    private readonly changes: StayChanges,
    private readonly properties: PropertiesService,
    private readonly places: StayPlaces,
    private readonly times: StayTimes,
    private readonly localTimes: LocalTimesRepository,
  ) {}

  async move(caller: Caller, input: MoveReservation): Promise<Reservation> {
    const { reservationId, checkInDate, checkOutDate, from } = input;
    if (from !== undefined) return await this.moveInHouse(caller, { ...input, from });
    if (checkInDate === undefined) throw invalidField(['checkInDate'], checkOutDate ? firstNight : bothDates);
    if (checkOutDate === undefined) throw invalidField(['checkOutDate'], 'Pass the departure date.');
    const stay = await this.changes.forChange(caller, reservationId, input.propertyId);
    if (isPlacedElsewhere(stay)) throw ownedByProvider(['checkInDate', 'checkOutDate', 'propertyId', 'unitId']);
    if (!isLive(stay)) throw cannotMove(stateOf(stay));
    const { property, place } = await this.places.usable(caller, placeAfter(stay, input));
    const owned = ownedByPush(stay, { ...input, ...place });
    if (owned.length > 0) throw ownedByProvider(owned);
    if (stay.stayStatus === 'checked_in' && place.unitTypeId && !place.unitId) throw unitNotAssigned();
    const times = await this.timesOn(property, stay, { checkInDate, checkOutDate });
    const isAtPlace = (['propertyId', 'unitId', 'unitTypeId'] as const).every((name) => stay[name] === place[name]);
    const rooms = isAtPlace ? roomsUntil(stay.rooms, checkOutDate) : [];
    const { nextRoomFrom } = roomOn(rooms, dayIn(property.timezone));
    const sold = isAtPlace || stay.pushed?.fields === 'all' ? stay.bookedUnitTypeId : place.unitTypeId;
    const changes = { ...times, ...place, bookedUnitTypeId: sold, rooms, nextRoomFrom };
    return await this.changes.change(caller, stay, changes, { happened: reservationMoved });
  }

  /**
   * The old room is free from the night on; the guests keep what they booked, or stay longer. From when they were to leave, they
   * had no nights, so those can be in the other room too.
   */
  private async moveInHouse(caller: Caller, input: MoveReservation & { from: string }): Promise<Reservation> {
    const { reservationId, unitId, from: asked, checkOutDate, ...others } = input;
    const stay = await this.changes.forChange(caller, reservationId);
    if (isPlacedElsewhere(stay)) throw ownedByProvider(['unitId']);
    const owned = ownedByPush(stay, { checkOutDate, unitTypeId: stay.unitTypeId });
    if (owned.length > 0) throw ownedByProvider(owned);
    const { property, place } = await this.places.usable(caller, { propertyId: stay.propertyId, unitId });
    const today = dayIn(property.timezone);
    const isAlone = Object.values(others).every((value) => value === undefined);
    const isInHouse = stay.status === 'confirmed' && stay.stayStatus === 'checked_in' && stay.unitId !== null;
    const { checkInDate, checkOutDate: end } = stay;
    const isTaken = asked < today && (checkOutDate === undefined || asked < end);
    if (!isAlone || !isInHouse || !place.unitId || isTaken || asked >= (checkOutDate ?? end)) throw movesFromNoNight();
    const { from, left, changes } = inAnotherRoom(stay, place, { from: asked, today });
    if (left.unitId === place.unitId)
      return checkOutDate ? await this.move(caller, { reservationId, checkInDate, checkOutDate }) : stay;
    const times = checkOutDate && (await this.timesOn(property, stay, { checkInDate, checkOutDate }));
    const at = from <= today ? new Date().toISOString() : await this.leaving(stay, from, property);
    const moved = { ...times, ...changes };
    return await this.changes.change(caller, stay, moved, {
      happened: reservationMoved,
      leftRoom: { ...left, at },
      roomFrom: from,
    });
  }

  private timesOn(
    property: Property,
    stay: Reservation,
    dates: Pick<Reservation, 'checkInDate' | 'checkOutDate'>,
  ): Promise<Times> {
    return this.times.of(property, { ...stay, ...dates, arrivalAt: null, departureAt: null, soFar: stay });
  }

  /** The room that was planned for this night is the stay's from now on. */
  async changeRoom(caller: Caller, reservationId: string): Promise<void> {
    const stay = await this.changes.forChange(caller, reservationId);
    const { timezone } = await this.properties.get(caller, stay.propertyId);
    const { room, nextRoomFrom } = roomOn(stay.rooms, dayIn(timezone));
    const changes = { nextRoomFrom, ...(room && placeOfRoom(room)) };
    await this.changes.change(caller, stay, changes, { happened: reservationMoved });
  }

  /** When a room is left that the guests leave on a later day: at the property's check-out time. */
  private async leaving(
    stay: Reservation,
    day: string,
    { checkOutTime, timezone }: { checkOutTime: string; timezone: string },
  ): Promise<string> {
    const given = { checkInDate: day, checkOutDate: day, arrivalAt: null, departureAt: null };
    const times = { arrivalTime: checkOutTime, departureTime: checkOutTime, timezone };
    return (await this.localTimes.of(stay.orgId, { ...given, ...times })).departure_at;
  }
}
