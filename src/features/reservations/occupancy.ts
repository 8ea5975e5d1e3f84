import { dayAfter } from '../../tenancy/stays/local-moments.js';
import type { Segment } from '../../tenancy/stays/nights.repository.js';
import { calledOff } from '../../tenancy/stays/stay.js';

/** A room of a stay that changed rooms in house, from a night on. */
export interface Room {
  unitId: string;
  unitTypeId: string | null;
  from: string;
}

export const occupancies = ['property', 'unit_type', 'unit'] as const;
export type Occupies = (typeof occupancies)[number];

interface Place {
  unitId: string | null;
  unitTypeId: string | null;
}

interface Dates {
  checkInDate: string;
  checkOutDate: string;
}

interface Booked extends Dates {
  status: string;
  released: boolean;
  departedOn: string | null;
}

interface Occupant extends Place, Booked {
  rooms: readonly Room[];
}

interface Claimant extends Occupant {
  propertyId: string;
  arrivalAt: string;
  departureAt: string;
  departedAt: string | null;
}

export const occupiesOf = ({ unitId, unitTypeId }: Place): Occupies => {
  if (unitId) return 'unit';
  return unitTypeId ? 'unit_type' : 'property';
};

export const isDayUse = ({ checkInDate, checkOutDate }: Dates): boolean => checkInDate === checkOutDate;

/** The nights of a stay: those booked, or fewer once its guests have left. The generated columns say the same in SQL. */
export function nightsOf(stay: Booked): { from: string; until: string } | undefined {
  const { status, released, checkInDate, checkOutDate, departedOn } = stay;
  if (calledOff.includes(status) || released || isDayUse(stay)) return undefined;
  const left = later(checkInDate, departedOn ?? checkOutDate);
  return { from: checkInDate, until: earlier(left, checkOutDate) };
}

/** Where a stay is on which of its nights. */
export function segmentsOf(stay: Occupant): Segment[] {
  const nights = nightsOf(stay);
  if (!nights) return [];
  const { unitId, unitTypeId, rooms } = stay;
  const places = rooms.length > 0 ? rooms : [{ unitId, unitTypeId }];
  return places
    .map((place, index) => ({
      unitId: place.unitId,
      unitTypeId: place.unitTypeId,
      from: later(nights.from, (index > 0 && rooms[index]?.from) || nights.from),
      until: earlier(nights.until, rooms[index + 1]?.from ?? nights.until),
    }))
    .filter(({ from, until }) => from < until);
}

interface Hours {
  from: string;
  until: string;
}

/** The hours of a day use: those booked, or fewer once its guests have left. */
export function hoursOf(stay: Claimant): Hours | undefined {
  const { arrivalAt: from, departureAt, departedAt } = stay;
  return isDayUse(stay) ? { from, until: earlier(departedAt ?? departureAt, departureAt) } : undefined;
}

/** The day of a day use, of which a block of the night takes the hours too. */
export const dayOf = ({ unitId, unitTypeId, checkInDate }: Place & Dates): Segment => ({
  unitId,
  unitTypeId,
  from: checkInDate,
  until: dayAfter(checkInDate, 1),
});

/** Whether the guests of a day use have left: the database keeps its booked hours, of which the rest is free. */
export const hasLeftDayUse = (stay: Claimant): boolean => isDayUse(stay) && stay.departedAt !== null;

/** What a unit is to be free for, so that a stay can have it. */
export function needsOf(stay: Claimant) {
  const { propertyId, checkInDate: from, checkOutDate: until, arrivalAt } = stay;
  const hours = hoursOf(stay);
  return { propertyId, from, until, ...(hours ? { hours } : { arrivalAt }) };
}

/** What a stay occupies, as a text that is the same as long as it occupies the same. */
export function claimOf(stay: Claimant): string {
  if (stay.status !== 'confirmed' || stay.released) return '';
  const { propertyId, unitId, checkInDate, checkOutDate } = stay;
  const hours = hoursOf(stay);
  const used = hours ? [unitId, hours.from, hours.until].map(String) : [];
  return JSON.stringify([propertyId, checkInDate, checkOutDate, segmentsOf(stay), ...used]);
}

/** Whether a stay only gives nights or hours back, as its guests left early: its booked dates stay, and it takes nothing new. */
export function givesBack(before: Claimant, after: Claimant): boolean {
  const isAsBooked = (['propertyId', 'checkInDate', 'checkOutDate', 'status'] as const).every(
    (name) => before[name] === after[name],
  );
  const hours = hoursOf(after);
  if (hours)
    return isAsBooked && !before.released && before.unitId === after.unitId && isWithin(hours, hoursOf(before));
  return isAsBooked && segmentsOf(after).every((segment) => isHeld(segment, segmentsOf(before)));
}

const isWithin = (hours: Hours, held: Hours | undefined): boolean =>
  held !== undefined && held.from <= hours.from && held.until >= hours.until;

const isHeld = (segment: Segment, held: readonly Segment[]): boolean =>
  held.some(
    (other) =>
      other.unitId === segment.unitId &&
      other.unitTypeId === segment.unitTypeId &&
      other.from <= segment.from &&
      other.until >= segment.until,
  );

/** The nights of a segment that a stay does not have there already. */
export const nightsAdded = (segment: Segment, held: readonly Segment[]): Segment[] =>
  held
    .filter(({ unitId }) => unitId === segment.unitId)
    .reduce(
      (nights, { from, until }) =>
        nights
          .flatMap((some) => [
            { ...some, until: earlier(some.until, from) },
            { ...some, from: later(some.from, until) },
          ])
          .filter((some) => some.from < some.until),
      [segment],
    );

/** The rooms of a stay, as far as it is booked; none once it has a single one. */
export function roomsUntil(rooms: readonly Room[], checkOutDate: string): Room[] {
  const within = rooms.filter(({ from }, index) => index === 0 || from < checkOutDate);
  return within.length > 1 ? within : [];
}

/** The room of a stay on a day, and the first night in the next one. */
export function roomOn(rooms: readonly Room[], day: string): { room?: Room; nextRoomFrom: string | null } {
  const next = rooms.findIndex(({ from }, index) => index > 0 && from > day);
  const room = next > 0 ? rooms[next - 1] : rooms.at(-1);
  return { room, nextRoomFrom: rooms[next]?.from ?? null };
}

/** The room that a stay in house leaves; `backIn` if it goes back to its room of the night before, `firstIn` if it had none. */
interface Left {
  unitId: string;
  backIn?: string;
  firstIn?: string;
}

/**
 * A stay in house in another room from a night on, and the room that it leaves: that night is later than the wanted one where
 * the stay has the room until then anyway. It leaves none where it has the room until its departure.
 */
export function inAnotherRoom(
  stay: Occupant,
  place: Place,
  { from: wanted, today }: { from: string; today: string },
): { from: string; left: Left; changes: Place & { rooms: Room[]; nextRoomFrom: string | null } } {
  const known = stay.rooms.length > 0 ? stay.rooms : [roomOf(stay, stay.checkInDate)];
  const then = roomOn(known, wanted);
  const from = (then.room?.unitId === place.unitId && then.nextRoomFrom) || wanted;
  const unitId = roomOn(known, from).room?.unitId as string;
  const since = from < stay.checkInDate ? stay.checkInDate : from;
  const before = known.filter((room) => room.from < since);
  const next = roomOf(place, since);
  const isBack = before.at(-1)?.unitId === next.unitId;
  const rooms = isBack ? before : [...before, next];
  const { room, nextRoomFrom } = roomOn(rooms, today);
  const inRooms = { rooms: rooms.length > 1 ? rooms : [], nextRoomFrom };
  return {
    from,
    left: { unitId, ...(isBack && { backIn: next.unitId }), ...(before.length === 0 && { firstIn: next.unitId }) },
    changes: { ...inRooms, ...placeOfRoom(room ?? next) },
  };
}

const roomOf = ({ unitId, unitTypeId }: Place, from: string): Room => ({
  unitId: unitId as string,
  unitTypeId,
  from,
});

export const placeOfRoom = ({ unitId, unitTypeId }: Room): Place => ({ unitId, unitTypeId });

const earlier = (one: string, other: string): string => (one < other ? one : other);
export const later = (one: string, other: string): string => (one > other ? one : other);
