import { updateGuest } from '../../features/reservations/guests.operations.js';
import type { GuestView } from '../../features/reservations/guest.dto.js';
import { GuestOfStay } from '../../features/reservations/reservation-changes.dto.js';
import { GuestCounts, type ReservationView } from '../../features/reservations/reservation.dto.js';
import { updateReservation } from '../../features/reservations/reservations.operations.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { type ConsoleForm, form } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import { useVisit, type Visit } from '../frame/visit.js';
import { Act, FoldedAct } from '../parts/act.js';
import { Entry } from '../parts/entry.js';

/** Nobody, if the number of adults was emptied. */
function readDetails(fields: Fields, { membership: { timezone } }: Visit): object {
  const partOf = (input: typeof GuestCounts | typeof GuestOfStay) =>
    typedInput({ input, method: 'POST' }, fields, timezone);
  const [counts, guest] = [partOf(GuestCounts), partOf(GuestOfStay)];
  return {
    ...typedInput(updateReservation, fields, timezone),
    ...('adults' in fields && { guestCounts: Object.keys(counts).length > 0 ? counts : null }),
    ...('name' in fields && { primaryGuest: guest }),
  };
}

export const detailForms: readonly ConsoleForm[] = [
  form(updateReservation, 'The stay was changed.', { read: readDetails }),
  form(updateGuest, 'The guest was changed.'),
];

interface DetailsProps {
  stay: ReservationView;
  /** Undefined for people who may not see guests. */
  guest: GuestView | undefined;
}

/** Who stays, and what staff should know. */
export const Details = ({ stay, guest }: DetailsProps) => {
  const { refused } = useVisit();
  const to = { reservationId: stay.id };
  const isRefused = (name: string): boolean => refused?.operation === updateReservation.name && name in refused.typed;
  return (
    <>
      <FoldedAct does={updateReservation} title="Change the details" isOpen={isRefused('notes')}>
        <Act does={updateReservation} to={to} label="Save the details">
          <Entry name="adults" of={GuestCounts} value={stay.guestCounts?.adults} isRequired={false} />
          <Entry name="children" of={GuestCounts} value={stay.guestCounts?.children} />
          <Entry name="infants" of={GuestCounts} value={stay.guestCounts?.infants} />
          <Entry name="pets" of={GuestCounts} value={stay.guestCounts?.pets} />
          <Entry name="channel" value={stay.channel} />
          <Entry name="confirmationCode" value={stay.confirmationCode} />
          <Entry name="notes" label="Notes for staff" value={stay.notes} />
        </Act>
      </FoldedAct>
      {guest && (
        <FoldedAct does={updateGuest} title="Change the guest" isOpen={refused?.operation === updateGuest.name}>
          <Act does={updateGuest} to={{ guestId: guest.id }} label="Save the guest">
            <Entry name="name" value={guest.name} />
            <Entry name="email" label="Email address" value={guest.email} />
            <Entry name="phone" value={guest.phone} />
          </Act>
        </FoldedAct>
      )}
      {!stay.primaryGuest && (
        <FoldedAct does={updateReservation} title="Add the guest" isOpen={isRefused('name')}>
          <Act does={updateReservation} to={to} label="Add the guest">
            <Entry name="name" of={GuestOfStay} isRequired />
            <Entry name="email" of={GuestOfStay} label="Email address" />
            <Entry name="phone" of={GuestOfStay} />
          </Act>
        </FoldedAct>
      )}
    </>
  );
};
