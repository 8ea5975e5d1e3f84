import type { DayRow } from '../../features/boards/day.dto.js';
import { getDay } from '../../features/boards/boards.operations.js';
import { assignUnit, assignUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { checkInReservation, checkOutReservation } from '../../features/reservations/stay-states.operations.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { setUnitStatus } from '../../tenancy/units/units.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Filters } from '../parts/filters.js';
import { type Column, Table } from '../parts/list.js';
import { Steps } from '../parts/steps.js';
import { Local, State, To } from '../parts/words.js';
import { Boards, boardsOf, roomsEverywhere } from './board.js';
import { choicesOf, namesOf } from './names.js';

export const today: ConsolePage = {
  path: 'today',
  title: 'Today',
  needs: 'reservations:read',
  isLive: true,
  isLocal: true,
  forms: [
    form(checkInReservation, 'The guests were checked in.'),
    form(checkOutReservation, 'The guests were checked out.'),
    form(assignUnit, 'The room was assigned.'),
    form(assignUnits, 'Rooms were assigned wherever one was free.'),
    form(setUnitStatus, 'The status was set.'),
  ],
  async show(visit) {
    const { ask, query } = visit;
    const { date } = query;
    const properties = await namesOf(visit, 'properties');
    // With only one property, that one is meant.
    const propertyId = query.propertyId ?? (properties.size === 1 ? [...properties.keys()][0] : undefined);
    const { record: day, nextCursor } = await ask(getDay, {
      ...(propertyId && { propertyId }),
      ...(date && { date }),
      limit: 100,
    });
    return (
      <>
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
            <strong>{day.arrivals.length}</strong> arrive
          </span>
          <span>
            <strong>{day.departures.length}</strong> leave
          </span>
          <span>
            <strong>{day.inHouse.length}</strong> stay
          </span>
        </p>
        {nextCursor && <p class="notice">Only the first 100 stays of the day are listed. Choose a property.</p>}
        <h2>Arrivals</h2>
        <Table
          caption="Arrivals"
          items={day.arrivals}
          empty="No arrivals."
          columns={arrivals(day.date <= dayIn(visit.membership.timezone))}
        />
        <h2>Departures</h2>
        <Table caption="Departures" items={day.departures} empty="No departures." columns={departures} />
        <h2>In house</h2>
        <Table caption="In house" items={day.inHouse} empty="No other guests in house." columns={stays} />
        {propertyId && <Boards of={await boardsOf(visit, [{ id: propertyId, name: properties.get(propertyId) }])} />}
        {!propertyId && visit.may('properties:read') && (await roomsEverywhere(visit))}
      </>
    );
  },
};

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

/** A button for a stay of the day, or none where the operation would reject it. */
const actOn = (
  does: typeof checkInReservation | typeof checkOutReservation,
  label: string,
  isPossible: (stay: DayRow) => boolean,
): Column<DayRow> => [
  '',
  (stay) =>
    isPossible(stay) && (
      <div class="acts">
        <Act
          does={does}
          to={{ reservationId: stay.reservationId }}
          label={label}
          of={stay.guestName ?? stay.reservationId}
        />
      </div>
    ),
];

/** @param hasCome whether the day is not in the future. */
const arrivals = (hasCome: boolean): readonly Column<DayRow>[] => [
  ['At', ({ arrivalLocal }) => <Local at={arrivalLocal} />],
  ...stays,
  actOn(checkInReservation, 'Check in', ({ stayStatus, unitId, unitTypeName }) => {
    const hasPlace = unitId !== null || unitTypeName === null;
    return hasCome && hasPlace && stayStatus === 'not_arrived';
  }),
];

const departures: readonly Column<DayRow>[] = [
  ['By', ({ departureLocal }) => <Local at={departureLocal} />],
  ...stays,
  actOn(checkOutReservation, 'Check out', ({ stayStatus }) => stayStatus === 'checked_in'),
];
