import { assignUnit, unassignUnit } from '../../features/reservations/assignments/assignments.operations.js';
import { getGuest } from '../../features/reservations/guests.operations.js';
import type { GuestCounts, ReservationView } from '../../features/reservations/reservation.dto.js';
import { getReservation } from '../../features/reservations/reservations.operations.js';
import {
  cancelReservation,
  checkInReservation,
  checkOutReservation,
  reinstateReservation,
  undoCheckIn,
  undoCheckOut,
  undoNoShow,
} from '../../features/reservations/stay-states.operations.js';
import { getUnitType } from '../../tenancy/unit-types/unit-types.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Facts } from '../parts/list.js';
import { humanized, Id, To } from '../parts/words.js';
import { moveForm } from './moves.js';
import { isInHouse, movingOf, plannedIn } from './moving.js';
import { type Names, namesOf, roomNamesOf } from './names.js';
import { noShowForm } from './no-show.js';
import { todayAt } from './places.js';
import { datesOf, StayState } from './reservations.js';
import { Acts, otherRooms } from './stay-acts.js';
import { detailForms, Details } from './stay-details.js';
import { historyOf } from './stay-history.js';
import { Warnings } from './stay-warnings.js';

export const reservation: ConsolePage = {
  path: 'reservations/:reservationId',
  title: 'Reservation',
  needs: 'reservations:read',
  isLive: true,
  isLocal: true,
  forms: [
    form(assignUnit, 'The room was assigned.'),
    moveForm,
    form(unassignUnit, 'The room was unassigned.'),
    form(checkInReservation, 'The guests were checked in.'),
    form(undoCheckIn, 'The check-in was undone.'),
    form(checkOutReservation, 'The guests were checked out.'),
    form(undoCheckOut, 'The check-out was undone.'),
    noShowForm,
    form(undoNoShow, 'The no-show was undone.'),
    form(cancelReservation, 'The reservation was cancelled.'),
    form(reinstateReservation, 'The reservation was reinstated.'),
    ...detailForms,
  ],
  async show(visit) {
    const one = await visit.ask(getReservation, { reservationId: visit.params.reservationId as string });
    const { id, propertyId, checkInDate, guestCounts, total } = one;
    const [properties, rooms, moving, today, history] = await Promise.all([
      namesOf(visit, 'properties'),
      roomNamesOf(visit, propertyId),
      movingOf(visit, one),
      todayAt(visit, propertyId),
      historyOf(visit, one),
    ]);
    const guest =
      one.primaryGuest && visit.may('guests:read')
        ? await visit.ask(getGuest, { guestId: one.primaryGuest.id })
        : undefined;
    const isKeptElsewhere = one.source !== 'manual' && (await visit.isKeptElsewhere(id));
    return (
      <>
        <section class="panel">
          <h2>{one.primaryGuest?.name ?? 'No name'}</h2>
          <Warnings stay={one} />
          <Facts
            of={{
              ...datesOf(one),
              Property: properties.get(propertyId) ?? <Id id={propertyId} />,
              Room: roomsIn(one, rooms, today) ?? (await placeOf(visit, one)),
              State: <StayState {...one} />,
              Guests: guestCounts && guestsIn(guestCounts),
              Email: guest?.email,
              Phone: guest?.phone,
              Arrival: one.arrivalLocal.replace('T', ', '),
              [one.departedAt ? 'Booked departure' : 'Departure']: one.departureLocal.replace('T', ', '),
              ...history,
              Total: total && `${(total.amountMinor / 100).toFixed(2)} ${total.currency}`,
              Channel: one.channel,
              'Confirmation code': one.confirmationCode,
              Notes: one.notes,
              Id: <Id id={id} />,
            }}
          />
          <Acts
            stay={one}
            free={await otherRooms(visit, one)}
            moving={moving}
            isDue={checkInDate <= today}
            isKeptElsewhere={isKeptElsewhere}
          />
          {isKeptElsewhere && (
            <p class="soft">Only the system that it was imported from can cancel or reinstate this stay.</p>
          )}
          <Details stay={one} guest={guest} />
          <p>
            <To page={`calendar?${new URLSearchParams({ propertyId, from: checkInDate, reservationId: id })}`}>
              {moving && !isInHouse(one) ? 'Move it in the calendar' : 'Show it in the calendar'}
            </To>
          </p>
        </section>
      </>
    );
  },
};

/** The room of a stay, and those that its guests are to have later; undefined where its name is not shown. */
function roomsIn({ unitId, segments }: ReservationView, names: Names, today: string): string | undefined {
  const room = unitId ? names.get(unitId) : undefined;
  const later = plannedIn(segments, today).map(({ unitId: id, from }) => `${names.get(id ?? '') ?? id} from ${from}`);
  return room && [room, ...later].join(', ');
}

/** Of a stay that has no room, or one whose name is not shown. */
async function placeOf({ ask, may }: Visit, { propertyId, unitId, unitTypeId, occupies }: ReservationView) {
  if (unitId || !unitTypeId || !may('properties:read')) return humanized(occupies);
  return `${(await ask(getUnitType, { propertyId, unitTypeId })).name}, no room yet`;
}

const guestsIn = ({ adults, children = 0 }: GuestCounts): string =>
  `${adults} ${adults === 1 ? 'adult' : 'adults'}, ${children} ${children === 1 ? 'child' : 'children'}`;
