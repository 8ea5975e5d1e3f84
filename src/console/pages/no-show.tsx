import { markNoShow } from '../../features/reservations/stay-states.operations.js';
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
