import type { ComponentChildren } from 'preact';
import type { ReservationView, StayWarning } from '../../features/reservations/reservation.dto.js';

const warnings: Readonly<Record<StayWarning, string>> = {
  over_capacity: 'More guests are booked than the room, or its type, has room for.',
  unit_blocked: 'A room of the property is blocked on some of these nights.',
  unit_occupied: 'Other guests are in this room, or are expected during these hours.',
  nights_not_held:
    'The guests are in house before their first night, and the nights until then can be given to others. Begin the stay today to keep them.',
};

/** What is wrong with a stay, without preventing it. */
const warningsOf = ({ warnings: found, overlapping }: ReservationView): string[] => [
  ...found.map((warning) => warnings[warning]),
  ...(overlapping
    ? ['Another confirmed stay has the same place on some of these nights or hours, or its type is full.']
    : []),
];

/** @param of whose stay it is, where a page shows several. */
export const Warnings = ({ stay, of }: { stay: ReservationView; of?: ComponentChildren }) => (
  <>
    {warningsOf(stay).map((warning) => (
      <p key={warning} class="notice">
        {of && <>{of}: </>}
        {warning}
      </p>
    ))}
  </>
);
