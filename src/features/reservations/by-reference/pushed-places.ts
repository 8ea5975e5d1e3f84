import { dayIn } from '../../../tenancy/stays/local-moments.js';
import type { StayChange } from '../../../tenancy/followers/followers.js';
import { inAnotherRoom, roomOn, roomsUntil } from '../occupancy.js';
import type { Reservation } from '../reservation.entity.js';
import { unitNotAssigned } from '../reservations.errors.js';
import { type AskedPlace, type KnownPlaces, usableOf } from '../stay-places.js';

/** Where another system says that a stay is. */
export interface SaidPlace {
  propertyId?: string;
  unitTypeId?: string | null;
  unitId?: string | null;
  checkInDate?: string;
  checkOutDate?: string;
}

/** The places that must be known to follow what is said: of the type that was sold, too. */
export function placesAskedFor(stay: Reservation, said: SaidPlace): AskedPlace[] {
  const { propertyId, place, sold } = wantedOf(stay, said);
  return isOfPlace(stay, said) ? [...(sold ? [sold] : []), place] : [{ propertyId }];
}

/** Where a stay is, after what another system says of it. The unit that people gave it stays if the type is as it was. */
export function placedAs(
  known: KnownPlaces,
  stay: Reservation,
  said: SaidPlace,
): Partial<Reservation> & Pick<StayChange, 'leftRoom'> {
  const { checkInDate, checkOutDate } = said;
  if (!isOfPlace(stay, said)) return (checkInDate ?? checkOutDate) ? roomsOf(stay, checkOutDate) : {};
  const asked = wantedOf(stay, said);
  if (asked.sold) usableOf(known, asked.sold);
  const { property, place } = usableOf(known, asked.place);
  const bookedUnitTypeId = asked.soldAs ?? place.unitTypeId;
  const isThere = !asked.isMoved && place.unitId === stay.unitId && place.unitTypeId === stay.unitTypeId;
  if (isThere) return { bookedUnitTypeId, ...roomsOf(stay, checkOutDate) };
  const isInHouse = stay.stayStatus === 'checked_in';
  if (isInHouse && place.unitTypeId && !place.unitId) throw unitNotAssigned();
  if (asked.isMoved || !isInHouse || !place.unitId || !stay.unitId)
    return { ...place, bookedUnitTypeId, rooms: [], nextRoomFrom: null };
  const today = dayIn(property.timezone);
  const { left, changes } = inAnotherRoom(stay, place, { from: today, today });
  return { ...changes, bookedUnitTypeId, leftRoom: { ...left, at: new Date().toISOString() } };
}

function roomsOf({ rooms: known, timezone, ...stay }: Reservation, until = stay.checkOutDate): Partial<Reservation> {
  if (known.length === 0) return {};
  const rooms = roomsUntil(known, until);
  return { rooms, nextRoomFrom: roomOn(rooms, dayIn(timezone)).nextRoomFrom };
}

const isOfPlace = (stay: Reservation, { propertyId, unitTypeId, unitId }: SaidPlace): boolean =>
  (propertyId !== undefined && propertyId !== stay.propertyId) || unitTypeId !== undefined || unitId !== undefined;

function wantedOf(stay: Reservation, { propertyId = stay.propertyId, unitTypeId, unitId }: SaidPlace) {
  const isMoved = propertyId !== stay.propertyId;
  const soFar = isMoved ? null : (stay.bookedUnitTypeId ?? stay.unitTypeId);
  const soldAs = unitTypeId === undefined ? soFar : unitTypeId;
  const isOther = unitTypeId !== undefined && unitTypeId !== stay.unitTypeId && unitTypeId !== stay.bookedUnitTypeId;
  const wanted = unitId === undefined ? (isMoved || isOther ? null : stay.unitId) : unitId;
  const place: AskedPlace = { propertyId, unitId: wanted, ...(!wanted && { unitTypeId: soldAs }) };
  const sold = soldAs && (isMoved || unitTypeId !== undefined) ? { propertyId, unitTypeId: soldAs } : undefined;
  return { propertyId, isMoved, soldAs, place, sold };
}
