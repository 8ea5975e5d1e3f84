import type { DayRow } from '../../features/boards/day.dto.js';
import { getDay } from '../../features/boards/boards.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { getReservation } from '../../features/reservations/reservations.operations.js';
import { assignUnit, assignUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { checkInReservation, checkOutReservation } from '../../features/reservations/stay-states.operations.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { setUnitStatus } from '../../tenancy/units/units.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { type Column, More, Table } from '../parts/list.js';
import { Steps } from '../parts/steps.js';
import { Local, State, To } from '../parts/words.js';
import { Boards, boardsOf, roomsEverywhere } from './board.js';
import { choicesOf, namesOf } from './names.js';
import { NoShow, noShowForm } from './no-show.js';
import { todayAt } from './places.js';
import { Warnings } from './stay-warnings.js';
import { wholeDay } from './whole-day.js';

export const today: ConsolePage = {
  path: 'today',
  title: 'Today',
  needs: 'reservations:read',
  isLive: true,
  isLocal: true,
  forms: [
    form(checkInReservation, 'The guests were checked in.', { isRemembered: true }),
    noShowForm,
    form(checkOutReservation, 'The guests were checked out.'),
    form(assignUnit, 'The room was assigned.', { isRemembered: true }),
    form(assignUnits, 'Rooms were assigned wherever one was free.'),
    form(setUnitStatus, 'The status was set.'),
  ],
  async show(visit) {
    const { ask, query, doneTo } = visit;
    const { date, after } = query;
    const changed = doneTo && (await ask(getReservation, { reservationId: doneTo }));
    const properties = await namesOf(visit, 'properties');
    // With only one property, that one is meant.
    const propertyId = query.propertyId ?? (properties.size === 1 ? [...properties.keys()][0] : undefined);
    const { day, nextCursor } = await wholeDay(ask, {
      ...(propertyId && { propertyId }),
      ...(date && { date }),
      ...(after && { cursor: after }),
    });
    const hasCome = day.date <= (propertyId ? await todayAt(visit, propertyId) : dayIn(visit.membership.timezone));
    const isLate = isLateOn(day.date);
    const arriving = [...day.arrivals.filter(isLate), ...day.arrivals.filter((stay) => !isLate(stay))];
    return (
      <>
        {changed && <Warnings stay={changed} of={<To page={`reservations/${changed.id}`}>{guestOf(changed)}</To>} />}
        <Filters
          of={getDay}
          names={['propertyId', 'date']}
          choices={{ propertyId: choicesOf(properties) }}
          labels={{ propertyId: 'Property' }}
          values={{ date: day.date }}
        />
        <Steps name="date" day={day.date} by={1} />
        <p class="figures">
          <span>
            <strong>{arriving.length}</strong> arrive
          </span>
          <span>
            <strong>{day.departures.length}</strong> leave
          </span>
          <span>
            <strong>{day.inHouse.length}</strong> stay
          </span>
        </p>
        {(after ?? nextCursor) && <p class="notice">Only a part of the stays of the day is listed and counted.</p>}
        <More after={{ nextCursor }} label="Next stays of the day" name="after" />
        <h2>Arrivals</h2>
        <Table caption="Arrivals" items={arriving} empty="No arrivals." columns={arrivals(hasCome, isLate)} />
        <h2>Departures</h2>
        <Table caption="Departures" items={day.departures} empty="No departures." columns={departures(day.date)} />
        <h2>In house</h2>
        <Table caption="In house" items={day.inHouse} empty="No other guests in house." columns={stays} />
        {propertyId && <Boards of={await boardsOf(visit, [{ id: propertyId, name: properties.get(propertyId) }])} />}
        {!propertyId && visit.may('properties:read') && (await roomsEverywhere(visit))}
      </>
    );
  },
};

const guestOf = ({ primaryGuest }: ReservationView): string => primaryGuest?.name ?? 'no name';

/** Whether the guests of an arrival were expected on an earlier day. */
const isLateOn =
  (date: string) =>
  ({ arrivalLocal }: DayRow): boolean =>
    arrivalLocal < date;

const placeOf = ({ propertyName, unitName, unitTypeName }: DayRow) => (
  <>
    {unitName ?? (unitTypeName ? `${unitTypeName}, no room yet` : propertyName)}
    {(unitName ?? unitTypeName) ? <small>{propertyName}</small> : null}
  </>
);

const stays: readonly Column<DayRow>[] = [
  ['Guest', ({ reservationId, guestName }) => <To page={`reservations/${reservationId}`}>{guestName ?? 'no name'}</To>],
  ['Where', placeOf],
  ['State', ({ stayStatus }) => <State is={stayStatus} />],
  ['Room', ({ cleaningStatus }) => <State is={cleaningStatus} />],
  ['Tasks', ({ openTasks }) => openTasks.map(({ name }) => name).join(', ') || '–'],
];

const nameOf = ({ guestName, reservationId }: DayRow): string => guestName ?? reservationId;

/**
 * @param hasCome whether the day is not in the future.
 * @param isLate whether guests were expected earlier.
 */
const arrivals = (hasCome: boolean, isLate: (stay: DayRow) => boolean): readonly Column<DayRow>[] => [
  [
    'At',
    (stay) => (
      <>
        <Local at={stay.arrivalLocal} />
        {isLate(stay) && <small>Late: expected on {stay.arrivalLocal.slice(0, 10)}</small>}
      </>
    ),
  ],
  ...stays,
  [
    '',
    (stay) => {
      const { reservationId, stayStatus, unitId, unitTypeName } = stay;
      const isExpected = hasCome && stayStatus === 'not_arrived';
      const hasPlace = unitId !== null || unitTypeName === null;
      return (
        isExpected && (
          <div class="acts">
            {hasPlace ? (
              <Act does={checkInReservation} to={{ reservationId }} label="Check in" of={nameOf(stay)} />
            ) : (
              <To page={`reservations/${reservationId}`}>Assign a room</To>
            )}
            <NoShow reservationId={reservationId} of={nameOf(stay)} />
          </div>
        )
      );
    },
  ],
];

/** @param date the day that is shown; who should have left before is still there. */
const departures = (date: string): readonly Column<DayRow>[] => [
  [
    'By',
    ({ departureLocal }) => (
      <>
        <Local at={departureLocal} />
        {departureLocal < date && <small>Overdue: expected to leave on {departureLocal.slice(0, 10)}</small>}
      </>
    ),
  ],
  ...stays,
  [
    '',
    (stay) =>
      stay.stayStatus === 'checked_in' && (
        <div class="acts">
          <Act
            does={checkOutReservation}
            to={{ reservationId: stay.reservationId }}
            label="Check out"
            of={nameOf(stay)}
          />
        </div>
      ),
  ],
];
