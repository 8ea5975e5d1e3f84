import { isDayUse } from '../../features/reservations/occupancy.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { dayAfter } from '../../tenancy/stays/local-moments.js';
import type { Visit } from '../frame/visit.js';
import type { Choices } from '../parts/entry.js';
import {
  type DayUseHours,
  everyRoom,
  type FreePlace,
  freeRooms,
  isRoom,
  placeOf,
  placesDuring,
  placesOf,
  todayAt,
} from './places.js';

export const asNow = 'as now';

/** How a stay can be moved now. */
export interface Moving {
  readonly stay: ReservationView;
  /** The date at its property. */
  readonly today: string;
  /** Dates that were chosen first, because the free rooms depend on them; guests in house stay at least until tomorrow. */
  readonly dates: { readonly checkInDate: string; readonly checkOutDate: string };
  readonly isInOrder: boolean;
  /** What is free then; guests in house can only go to another room, from today on: to any later on where none is free. */
  readonly places: Choices;
  readonly isAnyFree: boolean;
}

/** Undefined for a stay that has ended or was cancelled, and for people who may not see its property. */
export async function movingOf(visit: Visit, stay: ReservationView): Promise<Moving | undefined> {
  const { propertyId, status, stayStatus } = stay;
  const isLive =
    ['inquiry', 'pending', 'confirmed'].includes(status) && !['checked_out', 'no_show'].includes(stayStatus);
  if (!isLive || !visit.may('reservations:write') || !visit.may('properties:read')) return undefined;
  const today = await todayAt(visit, propertyId);
  if (isInHouse(stay) && !isDayUse(stay)) {
    const { checkInDate } = stay;
    const checkOutDate = stay.checkOutDate > today ? stay.checkOutDate : dayAfter(today, 1);
    const nights = { propertyId, from: today, until: checkOutDate, reservationId: stay.id };
    const free = stay.unitId === null ? [] : choicesFor(stay, await freeRooms(visit, nights));
    const isAnyFree = free.length > 0;
    const places = isAnyFree || stay.unitId === null ? free : choicesFor(stay, await everyRoom(visit.ask, propertyId));
    return { stay, today, dates: { checkInDate, checkOutDate }, isInOrder: true, places, isAnyFree };
  }
  const { checkInDate, checkOutDate } = chosenDates(stay, visit.query);
  const dates = { checkInDate, checkOutDate };
  const isForHours = checkInDate === checkOutDate;
  const isInOrder = isForHours ? timeOf(stay.arrivalLocal) < timeOf(stay.departureLocal) : checkInDate < checkOutDate;
  const free = !isInOrder
    ? []
    : isForHours
      ? await placesDuring(visit, hoursOn(stay, checkInDate))
      : await placesOf(visit, { propertyId, from: checkInDate, until: checkOutDate });
  const isElsewhen = checkInDate !== stay.checkInDate || checkOutDate !== stay.checkOutDate;
  const canStay = isInOrder && isElsewhen && (!isForHours || free.some(({ value }) => value === placeOf(stay)));
  const same: Choices = canStay ? [[asNow, 'The same as now']] : [];
  const places = [...same, ...choicesFor(stay, isInHouse(stay) ? free.filter(isRoom) : free)];
  return { stay, today, dates, isInOrder, places, isAnyFree: places.length > 0 };
}

/** A day use stays one; guests in house stay on their day. */
function chosenDates(stay: ReservationView, chosen: Visit['query']): Moving['dates'] {
  if (isInHouse(stay)) return stay;
  const { checkInDate = stay.checkInDate, checkOutDate = stay.checkOutDate } = chosen;
  return { checkInDate, checkOutDate: isDayUse(stay) ? checkInDate : checkOutDate };
}

/** Of a moment on the clock of the property. */
const timeOf = (local: string): string => local.slice('yyyy-MM-ddT'.length);

/** `10:00 to 16:00` */
export const hoursOf = ({ arrivalLocal, departureLocal }: ReservationView): string =>
  `${timeOf(arrivalLocal)} to ${timeOf(departureLocal)}`;

/** The hours that a stay has on another day too. */
const hoursOn = (stay: ReservationView, day: string): DayUseHours => ({
  reservationId: stay.id,
  propertyId: stay.propertyId,
  day,
  fromTime: timeOf(stay.arrivalLocal),
  untilTime: timeOf(stay.departureLocal),
});

/** Where guests in house are to be on later nights. */
export const plannedIn = (segments: ReservationView['segments'], today: string): ReservationView['segments'] =>
  segments.slice(1).filter(({ from }) => from > today);

export const isInHouse = ({ stayStatus }: ReservationView): boolean => stayStatus === 'checked_in';

/** Without the place that the stay has; those of its type come first, and the others say that they are of another. */
function choicesFor(stay: ReservationView, free: readonly FreePlace[]): Choices {
  const soldAs = stay.bookedUnitTypeId ?? stay.unitTypeId;
  const isOther = ({ unitTypeId }: FreePlace): boolean => soldAs !== null && unitTypeId !== soldAs;
  const offered = free.filter(({ value }) => value !== placeOf(stay));
  return [...offered.filter((one) => !isOther(one)), ...offered.filter(isOther)].map((one) => [
    one.value,
    isOther(one) ? `${one.label} – not the booked type` : one.label,
  ]);
}
