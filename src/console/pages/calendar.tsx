import { getTapeChart } from '../../features/boards/boards.operations.js';
import { getReservation, moveReservation } from '../../features/reservations/reservations.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { listProperties } from '../../tenancy/properties/properties.operations.js';
import { pathWith } from '../../platform/pages/see-other.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Filters } from '../parts/filters.js';
import { Facts } from '../parts/list.js';
import { Steps } from '../parts/steps.js';
import { Id, State } from '../parts/words.js';
import { Tape } from './tape.js';

export const calendar: ConsolePage = {
  path: 'calendar',
  title: 'Calendar',
  needs: 'reservations:read',
  isLive: true,
  forms: [form(moveReservation, 'The stay was moved.')],
  async show(visit) {
    const { ask, query, path } = visit;
    const properties = visit.may('properties:read') ? (await ask(listProperties, { limit: 100 })).items : [];
    const propertyId = query.propertyId ?? properties[0]?.id;
    if (!propertyId) return <p class="soft">No properties yet.</p>;
    const days = Math.min(31, Math.max(7, Number(query.days) || 14));
    const chart = await ask(getTapeChart, { propertyId, days, ...(query.from && { from: query.from }) });
    return (
      <>
        <Filters
          of={getTapeChart}
          names={['propertyId', 'from', 'days']}
          choices={{
            propertyId: properties.map(({ id, name }) => [id, name]),
            days: ['14', '21', '31'].map((count) => [count, `${count} days`]),
          }}
          labels={{ propertyId: 'Property' }}
          values={{ propertyId, from: chart.from, days: String(days) }}
        />
        <Steps name="from" day={chart.from} by={days} />
        {query.reservationId && (
          <Chosen
            visit={visit}
            stay={await ask(getReservation, { reservationId: query.reservationId })}
            units={chart.units.map(({ unitId, name }) => [unitId, name])}
          />
        )}
        <Tape chart={chart} leadTo={(reservationId) => pathWith(path, { ...query, reservationId })} />
      </>
    );
  },
};

interface ChosenProps {
  visit: Visit;
  stay: ReservationView;
  units: Choices;
}

/** A stay that was chosen in the chart, with the form that moves it. */
const Chosen = ({ visit: { may }, stay, units }: ChosenProps) => (
  <section class="panel">
    <h2>{stay.primaryGuest?.name ?? 'A stay'}</h2>
    <Facts
      of={{
        Nights: `${stay.checkInDate} to ${stay.checkOutDate}`,
        Room: units.find(([id]) => id === stay.unitId)?.[1],
        State: <State is={stay.stayStatus} />,
        Channel: stay.channel,
        Id: <Id id={stay.id} />,
      }}
    />
    {may('reservations:write') && (
      <div class="acts">
        <Act
          does={moveReservation}
          to={{ reservationId: stay.id }}
          label="Move"
          ask="Choose other dates or another room."
        >
          <Entry name="checkInDate" label="First night" value={stay.checkInDate} />
          <Entry name="checkOutDate" label="Departure" value={stay.checkOutDate} />
          {units.length > 0 && <Entry name="unitId" label="Room" value={stay.unitId} choices={units} />}
        </Act>
      </div>
    )}
  </section>
);
