import { assignUnit, unassignUnit } from '../../features/reservations/assignments/assignments.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import {
  checkInReservation,
  checkOutReservation,
  reinstateReservation,
  undoCheckIn,
  undoCheckOut,
} from '../../features/reservations/stay-states.operations.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { MoveInHouse } from './moves.js';
import type { Moving } from './moving.js';
import { Cancel, NoShow, OfNoShow } from './no-show.js';
import { freeRooms } from './places.js';

/** The other rooms of its type that a stay could have which has not started. */
export async function otherRooms(visit: Visit, stay: ReservationView): Promise<Choices> {
  const { id: reservationId, propertyId, checkInDate: from, checkOutDate: until, unitTypeId } = stay;
  if (!visit.may('properties:read') || stay.stayStatus !== 'not_arrived' || !unitTypeId) return [];
  const rooms = await freeRooms(visit, { propertyId, from, until, unitTypeId, reservationId });
  return rooms.filter(({ value }) => value !== stay.unitId).map(({ value, label }) => [value, label]);
}

interface ActsProps {
  stay: ReservationView;
  free: Choices;
  moving: Moving | undefined;
  /** Whether its day of arrival has come. */
  isDue: boolean;
  /** Whether only another system can cancel it. */
  isKeptElsewhere: boolean;
}

/** What can be done now. */
export const Acts = ({ stay, free, moving, isDue, isKeptElsewhere }: ActsProps) => {
  const to = { reservationId: stay.id };
  if (stay.status === 'cancelled' && !isKeptElsewhere)
    return (
      <div class="acts">
        <Act does={reinstateReservation} to={to} label="Reinstate" />
      </div>
    );
  if (stay.status !== 'confirmed') return null;
  const hasPlace = stay.unitId !== null || stay.unitTypeId === null;
  return (
    <div class="acts">
      {stay.stayStatus === 'not_arrived' && (
        <>
          {free.length > 0 && (
            <Act
              does={assignUnit}
              to={to}
              label={stay.unitId ? 'Change the room' : 'Assign a room'}
              ask="Rooms that are free for the whole stay:"
            >
              <Entry name="unitId" label="Room" choices={free} />
            </Act>
          )}
          {stay.unitId && stay.unitTypeId && <Act does={unassignUnit} to={to} label="Unassign the room" />}
          {isDue && hasPlace && <Act does={checkInReservation} to={to} label="Check in" isPrimary />}
          {isDue && <NoShow {...to} />}
          {!isKeptElsewhere && <Cancel {...to} />}
        </>
      )}
      {stay.stayStatus === 'checked_in' && (
        <>
          <Act does={checkOutReservation} to={to} label="Check out" isPrimary />
          {moving && <MoveInHouse {...moving} />}
          <Act does={undoCheckIn} to={to} label="Undo the check-in" />
        </>
      )}
      {stay.stayStatus === 'no_show' && <OfNoShow stay={stay} isKeptElsewhere={isKeptElsewhere} />}
      {stay.stayStatus === 'checked_out' && <Act does={undoCheckOut} to={to} label="Undo the check-out" />}
    </div>
  );
};
