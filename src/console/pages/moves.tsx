import { nightsAdded } from '../../features/reservations/occupancy.js';
import { moveReservation } from '../../features/reservations/reservations.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { dayAfter } from '../../tenancy/stays/local-moments.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { type ConsoleForm, form } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Picked } from '../parts/filters.js';
import { type FreePlace, placeIn, placeOf, placesOf, roomsOf, todayAt } from './places.js';

const asNow = 'as now';

/** A place is chosen only where the form has one; a stay in house names its unit itself. */
function readMove({ place, ...fields }: Fields, { membership }: Visit): object {
  const input = typedInput(moveReservation, fields, membership.timezone);
  return { ...input, ...(place !== undefined && place !== asNow && placeIn(place)) };
}

export const moveForm: ConsoleForm = form(moveReservation, 'The stay was moved.', { read: readMove });

/** How a stay can be moved now. */
export interface Moving {
  readonly stay: ReservationView;
  /** The date at its property. */
  readonly today: string;
  /** Dates that were chosen first, because the free rooms depend on them; guests in house stay at least until tomorrow. */
  readonly dates: { readonly checkInDate: string; readonly checkOutDate: string };
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
  if (isInHouse(stay)) {
    const { checkInDate } = stay;
    const checkOutDate = stay.checkOutDate > today ? stay.checkOutDate : dayAfter(today, 1);
    const roomsUntil = async (until: string): Promise<Choices> =>
      stay.unitId === null ? [] : choicesFor(stay, await roomsInHouse(visit, stay, { from: today, until }));
    const free = await roomsUntil(checkOutDate);
    const isAnyFree = free.length > 0;
    const places = isAnyFree ? free : await roomsUntil(today);
    return { stay, today, dates: { checkInDate, checkOutDate }, places, isAnyFree };
  }
  const { checkInDate = stay.checkInDate, checkOutDate = stay.checkOutDate } = visit.query;
  const isInOrder = checkInDate <= checkOutDate;
  const free = isInOrder ? await placesOf(visit, { propertyId, from: checkInDate, until: checkOutDate }) : [];
  const dates = { checkInDate, checkOutDate };
  const isElsewhen = checkInDate !== stay.checkInDate || checkOutDate !== stay.checkOutDate;
  const same: Choices = isInOrder && isElsewhen ? [[asNow, 'The same as now']] : [];
  const places = [...same, ...choicesFor(stay, free)];
  return { stay, today, dates, places, isAnyFree: places.length > 0 };
}

/** Free rooms for guests in house: the nights that they are to have in a room themselves do not count. */
async function roomsInHouse(
  { ask }: Visit,
  { propertyId, segments }: ReservationView,
  nights: { readonly from: string; readonly until: string },
): Promise<FreePlace[]> {
  const free = await roomsOf(ask, { propertyId, ...nights });
  for (const { unitId, unitTypeId } of plannedIn(segments, nights.from)) {
    const others = nightsAdded({ unitId, unitTypeId, ...nights }, segments);
    const ofType = { propertyId, ...(unitTypeId && { unitTypeId }) };
    const found = await Promise.all(others.map(({ from, until }) => roomsOf(ask, { ...ofType, from, until })));
    const rooms = found.map((some) => some.find(({ value }) => value === unitId));
    const [room] = rooms;
    if (room && rooms.every(Boolean) && !free.some(({ value }) => value === unitId)) free.push(room);
  }
  return free;
}

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

interface MoveProps {
  moving: Moving;
  /** What else the address of the page keeps. */
  keep: Readonly<Record<string, string>>;
}

/** The forms that move a stay. */
export const Moves = ({ moving, keep }: MoveProps) =>
  isInHouse(moving.stay) ? (
    <div class="acts">
      <MoveInHouse {...moving} />
    </div>
  ) : (
    <Move moving={moving} keep={keep} />
  );

/** The nights so far stay where the guests were. */
export const MoveInHouse = ({
  stay: { id: reservationId, checkInDate, checkOutDate, unitId, segments },
  today,
  dates,
  places,
  isAnyFree,
}: Moving) => (
  <>
    {checkInDate > today && (
      <Act
        does={moveReservation}
        to={{ reservationId, checkInDate: today, checkOutDate }}
        label="Begin the stay today"
        isPrimary
      />
    )}
    {plannedIn(segments, today).length > 0 && (
      <Act does={moveReservation} to={{ reservationId, unitId, from: today }} label="Cancel the change of rooms" />
    )}
    {places.length > 0 && (
      <Act
        does={moveReservation}
        to={{ reservationId }}
        label="Change the room"
        ask="Earlier nights stay in the room that the guests have now."
      >
        <Entry name="from" label="From which night" value={today} isRequired />
        <Entry
          name="unitId"
          label="Room"
          choices={places}
          placeholder="Choose"
          hint={
            isAnyFree
              ? 'Rooms that are free from today on.'
              : 'None is free from today on. Choose a later night, or an earlier departure.'
          }
        />
        <Entry name="checkOutDate" label="Departure" value={dates.checkOutDate} isRequired />
      </Act>
    )}
    <Act
      does={moveReservation}
      to={{ reservationId, checkInDate }}
      label="Change the departure"
      ask="The guests keep their room."
    >
      <Entry name="checkOutDate" label="Departure" value={checkOutDate} isRequired />
    </Act>
  </>
);

const Move = ({ moving: { stay, dates, places }, keep }: MoveProps) => (
  <>
    <h3>Move</h3>
    <Picked
      of={moveReservation}
      names={['checkInDate', 'checkOutDate']}
      labels={{ checkInDate: 'First night', checkOutDate: 'Departure' }}
      values={dates}
      keep={keep}
      label="Show free rooms"
    />
    {dates.checkInDate > dates.checkOutDate ? (
      <p class="problem">The departure must be after the first night.</p>
    ) : places.length === 0 ? (
      <p class="soft">No other room is free on all of these nights.</p>
    ) : (
      <Act does={moveReservation} to={{ reservationId: stay.id, ...dates }} label="Move">
        <Entry
          name="place"
          label={`Room from ${dates.checkInDate} to ${dates.checkOutDate}`}
          choices={places}
          placeholder="Choose"
          isRequired
        />
      </Act>
    )}
  </>
);
