import type { ReservationStatus } from '../reservation.dto.js';

/** A stay as another system reports it; that system owns all of these fields except the notes. */
export interface ImportedStay {
  /** Its name there: importing it again changes the same reservation. */
  externalId: string;
  propertyId: string;
  unitId: string | null;
  /** Local to the property. */
  checkInDate: string;
  checkOutDate: string;
  /** `HH:MM:SS`, local to the property; null for its usual times. */
  arrivalTime: string | null;
  departureTime: string | null;
  status: ReservationStatus;
  channel: string | null;
  confirmationCode: string | null;
  /** The guest, if the system names one; stored only once, so that an erased guest does not come back. */
  guestName: string | null;
  /** Further data from the system; imported once, and ours to change from then on. */
  notes: string | null;
}
