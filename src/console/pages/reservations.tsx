import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { listReservations } from '../../features/reservations/reservations.operations.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { State, To } from '../parts/words.js';
import { choicesOf, namesOf } from './names.js';

const filters = ['q', 'propertyId', 'status', 'stayStatus', 'arrivingFrom', 'arrivingBefore', 'unassigned'] as const;

export const reservations: ConsolePage = {
  path: 'reservations',
  title: 'Reservations',
  needs: 'reservations:read',
  isLive: true,
  async show(visit) {
    const properties = await namesOf(visit, 'properties');
    return (
      <>
        {visit.may('reservations:write') && (
          <p>
            <a class="button primary" href={`${visit.base}/reservations/new`}>
              New reservation
            </a>
          </p>
        )}
        <Filters
          of={listReservations}
          names={filters}
          choices={{ propertyId: choicesOf(properties) }}
          labels={{
            q: 'Guest or confirmation code',
            propertyId: 'Property',
            stayStatus: 'Stay',
            arrivingFrom: 'Arrives from',
            arrivingBefore: 'Arrives before',
            unassigned: 'Still needs a room',
          }}
        />
        <List
          caption="Reservations"
          page={await visit.list(listReservations, filters, { sort: '-createdAt' })}
          empty="No reservations match these filters."
          columns={[
            ['Guest', ({ id, primaryGuest }) => <To page={`reservations/${id}`}>{primaryGuest?.name ?? 'no name'}</To>],
            ['Arrives', ({ checkInDate }) => checkInDate],
            ['Leaves', ({ checkOutDate }) => checkOutDate],
            ['Property', ({ propertyId }) => properties.get(propertyId) ?? propertyId],
            ['State', (one) => <StayState {...one} />],
            ['Channel', ({ channel }) => channel ?? '–'],
          ]}
        />
      </>
    );
  },
};

/** When a stay is: its nights, or the hours of a day use. */
export const datesOf = ({
  checkInDate,
  checkOutDate,
  arrivalLocal,
  departureLocal,
}: ReservationView): Readonly<Record<string, string>> =>
  checkInDate === checkOutDate
    ? { Day: `${checkInDate}, ${arrivalLocal.slice(11)} to ${departureLocal.slice(11)}` }
    : { Nights: `${checkInDate} to ${checkOutDate}` };

/** The state of a stay; before it begins, that of its booking if it is not confirmed. */
export const StayState = ({ status, stayStatus }: Pick<ReservationView, 'status' | 'stayStatus'>) => (
  <State is={stayStatus === 'not_arrived' ? status : stayStatus} />
);
