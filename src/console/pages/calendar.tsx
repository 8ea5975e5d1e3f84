import { getTapeChart } from '../../features/boards/boards.operations.js';
import { getReservation } from '../../features/reservations/reservations.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { listProperties } from '../../tenancy/properties/properties.operations.js';
import { pathWith } from '../../platform/pages/see-other.js';
import type { ConsolePage } from '../frame/console-page.js';
import { Filters } from '../parts/filters.js';
import { Facts } from '../parts/list.js';
import { Steps } from '../parts/steps.js';
import { Id, State, To } from '../parts/words.js';
import { moveForm, Moves } from './moves.js';
import { type Moving, movingOf } from './moving.js';
import { datesOf } from './reservations.js';
import { historyOf } from './stay-history.js';
import { Warnings } from './stay-warnings.js';
import { Tape } from './tape.js';

export const calendar: ConsolePage = {
  path: 'calendar',
  title: 'Calendar',
  needs: 'reservations:read',
  isLive: true,
  isLocal: true,
  forms: [moveForm],
  async show(visit) {
    const { ask, query, path } = visit;
    const properties = visit.may('properties:read') ? (await ask(listProperties, { limit: 100 })).items : [];
    const propertyId = query.propertyId ?? properties[0]?.id;
    if (!propertyId) return <p class="soft">No properties yet.</p>;
    const days = Math.min(31, Math.max(7, Number(query.days) || 14));
    // Dates that were chosen for one stay are not those of another.
    const { checkInDate: _, checkOutDate: __, ...shown } = query;
    const stay =
      query.reservationId === undefined ? undefined : await ask(getReservation, { reservationId: query.reservationId });
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
        {stay && (
          <Chosen
            stay={stay}
            room={chart.units.find(({ unitId }) => unitId === stay.unitId)?.name}
            moving={await movingOf(visit, stay)}
            history={await historyOf(visit, stay)}
            keep={shown}
          />
        )}
        <Tape
          chart={chart}
          leadTo={(reservationId) => pathWith(path, { ...shown, reservationId })}
          leadToBlock={(blockId) => `${visit.base}/properties/${propertyId}#${blockId}`}
        />
      </>
    );
  },
};

interface ChosenProps {
  stay: ReservationView;
  /** The name of its room, where it has one. */
  room: string | undefined;
  moving: Moving | undefined;
  history: Readonly<Record<string, string>>;
  keep: Readonly<Record<string, string>>;
}

/** A stay that was chosen in the chart, with the forms that move it. */
const Chosen = ({ stay, room, moving, history, keep }: ChosenProps) => (
  <section class="panel">
    <h2>
      <To page={`reservations/${stay.id}`}>{stay.primaryGuest?.name ?? 'A stay'}</To>
    </h2>
    <Warnings stay={stay} />
    <Facts
      of={{
        ...datesOf(stay),
        Room: room,
        State: <State is={stay.stayStatus} />,
        ...history,
        Channel: stay.channel,
        Id: <Id id={stay.id} />,
      }}
    />
    {moving && <Moves moving={moving} keep={keep} />}
  </section>
);
