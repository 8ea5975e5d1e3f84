import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import type { StayChange } from '../../../tenancy/followers/followers.js';
import { roomOn, roomsUntil } from '../occupancy.js';
import type { Reservation } from '../reservation.entity.js';
import { unitNotAssigned } from '../reservations.errors.js';
import { inAnotherRoom } from '../stay-moves.service.js';
import { StayPlaces } from '../stay-places.js';

interface Said {
  propertyId?: string;
  unitTypeId?: string | null;
  unitId?: string | null;
  checkInDate?: string;
  checkOutDate?: string;
}

/** Where a stay is, after what another system says of it. The unit that people gave it stays if the type is as it was. */
@Injectable()
export class PushedPlaces {
  constructor(private readonly places: StayPlaces) {}

  async of(
    caller: Caller,
    stay: Reservation,
    said: Said,
  ): Promise<Partial<Reservation> & Pick<StayChange, 'leftRoom'>> {
    const { propertyId, unitTypeId, unitId, checkInDate, checkOutDate } = said;
    const isMoved = propertyId !== undefined && propertyId !== stay.propertyId;
    if (!isMoved && unitTypeId === undefined && unitId === undefined)
      return (checkInDate ?? checkOutDate) ? this.roomsOf(stay, stay.rooms, checkOutDate) : {};
    const asked = { propertyId: propertyId ?? stay.propertyId, ...wantedOf(stay, isMoved, said) };
    if (asked.sold && (isMoved || unitTypeId !== undefined))
      await this.places.usable(caller, { propertyId: asked.propertyId, unitTypeId: asked.sold });
    const { property, place } = await this.places.usable(caller, {
      propertyId: asked.propertyId,
      unitId: asked.unitId,
      ...(!asked.unitId && { unitTypeId: asked.sold }),
    });
    const bookedUnitTypeId = asked.sold ?? place.unitTypeId;
    const isThere = !isMoved && place.unitId === stay.unitId && place.unitTypeId === stay.unitTypeId;
    if (isThere) return { bookedUnitTypeId, ...this.roomsOf(stay, stay.rooms, checkOutDate) };
    const isInHouse = stay.stayStatus === 'checked_in';
    if (isInHouse && place.unitTypeId && !place.unitId) throw unitNotAssigned();
    if (isMoved || !isInHouse || !place.unitId || !stay.unitId)
      return { ...place, bookedUnitTypeId, rooms: [], nextRoomFrom: null };
    const today = dayIn(property.timezone);
    const { left, changes } = inAnotherRoom(stay, place, { from: today, today });
    return { ...changes, bookedUnitTypeId, leftRoom: { unitId: left, at: new Date().toISOString() } };
  }

  private roomsOf(stay: Reservation, known: Reservation['rooms'], until = stay.checkOutDate): Partial<Reservation> {
    if (known.length === 0) return {};
    const rooms = roomsUntil(known, until);
    return { rooms, nextRoomFrom: roomOn(rooms, dayIn(stay.timezone)).nextRoomFrom };
  }
}

function wantedOf(stay: Reservation, isMoved: boolean, { unitTypeId, unitId }: Said) {
  const soFar = isMoved ? null : (stay.bookedUnitTypeId ?? stay.unitTypeId);
  const sold = unitTypeId === undefined ? soFar : unitTypeId;
  const isOther = unitTypeId !== undefined && unitTypeId !== stay.unitTypeId && unitTypeId !== stay.bookedUnitTypeId;
  const keeps = !isMoved && !isOther;
  return { sold, unitId: unitId === undefined ? (keeps ? stay.unitId : null) : unitId };
}
