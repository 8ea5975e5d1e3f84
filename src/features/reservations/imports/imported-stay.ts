import type { ReservationStatus } from '../../../reservations/reservation.dto.js';

/** A stay as another system tells of it; that system owns all of these but the notes. */
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
  /** Whoever stays, where the system says; kept once, so that an erased guest does not come back. */
  guestName: string | null;
  /** What else the system says; kept once, and ours to change from then on. */
  notes: string | null;
}
