import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { cancelReservation, markNoShow, undoNoShow } from '../../features/reservations/stay-states.operations.js';
import { form } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';

export const noShowForm = form(markNoShow, 'The stay was marked as a no-show.');

interface NoShowProps {
  reservationId: string;
  /** Whose stay it is, where several buttons of a page say the same. */
  of?: string;
}

/** For guests who did not arrive. */
export const NoShow = ({ reservationId, of }: NoShowProps) => (
  <Act does={markNoShow} to={{ reservationId }} label="No-show" of={of} ask="The guests did not arrive." isDangerous>
    <Entry name="release" label="Release the nights" value="false" hint="Others can then book them." />
  </Act>
);

/** What can be done about guests who did not arrive: they came after all, or others can have their nights. */
export const OfNoShow = ({ stay, isKeptElsewhere }: { stay: ReservationView; isKeptElsewhere: boolean }) => {
  const { id: reservationId, occupiedFrom } = stay;
  return (
    <>
      <Act does={undoNoShow} to={{ reservationId }} label="Undo the no-show" />
      {occupiedFrom && (
        <Act
          does={markNoShow}
          to={{ reservationId, release: true }}
          label="Release the nights"
          ask="Others can then book them."
          isDangerous
        />
      )}
      {!isKeptElsewhere && <Cancel reservationId={reservationId} />}
    </>
  );
};

export const Cancel = ({ reservationId }: { reservationId: string }) => (
  <Act
    does={cancelReservation}
    to={{ reservationId }}
    label="Cancel"
    ask="The nights become available again."
    isDangerous
  >
    <Entry name="reason" />
  </Act>
);
