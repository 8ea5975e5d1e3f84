import type { RoomBoardView } from '../../features/boards/boards.dto.js';
import { assignUnit, assignUnits } from '../../features/reservations/assignments/assignments.operations.js';
import type { ReservationView } from '../../features/reservations/reservation.dto.js';
import { listReservations } from '../../features/reservations/reservations.operations.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Local, To } from '../parts/words.js';
import { freeRooms } from './places.js';
import { roomsInUse } from './rooms-in-use.js';

/** The rooms that each arrival could have for all of its nights, or its hours, by the id of the stay. */
export type FreeRooms = ReadonlyMap<string, Choices>;

/** Stays of the same type and times are asked about together; those beyond the first hundred have their own pages. */
export async function freeRoomsFor(visit: Visit, { propertyId, date, unassigned }: RoomBoardView): Promise<FreeRooms> {
  if (unassigned.length === 0 || !visit.may('properties:read')) return new Map();
  const wishes = { propertyId, unassigned: true, arrivingOn: date, limit: 100 };
  const { items } = await visit.ask(listReservations, wishes);
  const inUse = await roomsInUse(visit, { propertyId, from: date });
  const groups = Map.groupBy(items, ({ unitTypeId, arrivalLocal, departureLocal }) =>
    [unitTypeId, arrivalLocal, departureLocal].join(' '),
  );
  const found = await Promise.all(
    [...groups.values()].map(async (stays) => {
      const { id: reservationId, checkOutDate: until, unitTypeId } = stays[0] as ReservationView;
      const nights = { propertyId, from: date, until, reservationId, ...(unitTypeId && { unitTypeId }) };
      const rooms: Choices = (await freeRooms(visit, nights, inUse)).map(({ value, label }) => [value, label]);
      return stays.map(({ id }) => [id, rooms] as const);
    }),
  );
  return new Map(found.flat());
}

/** The arrivals of a day that have no room yet. */
export const Unassigned = ({ board, free }: { board: RoomBoardView; free: FreeRooms }) => (
  <section class="panel">
    <h3>Arrivals without a room</h3>
    {board.unassigned.map(({ unitTypeId, name, reservations }) => (
      <>
        <h4 key={unitTypeId}>{name}</h4>
        <ul class="points">
          {reservations.map(({ reservationId, guestName, arrivalLocal }) => (
            <li key={reservationId}>
              <To page={`reservations/${reservationId}`}>{guestName ?? 'no name'}</To> <Local at={arrivalLocal} />{' '}
              <Assign {...{ reservationId, guestName }} rooms={free.get(reservationId)} />
            </li>
          ))}
        </ul>
      </>
    ))}
    <div class="acts">
      <Act
        does={assignUnits}
        to={{ propertyId: board.propertyId, date: board.date }}
        label="Assign rooms automatically"
      />
    </div>
  </section>
);

interface AssignProps {
  reservationId: string;
  guestName: string | null;
  rooms: Choices | undefined;
}

const Assign = ({ reservationId, guestName, rooms }: AssignProps) => {
  if (rooms?.length === 0) return <small>No room of this type is free for the whole stay.</small>;
  return rooms ? (
    <Act
      does={assignUnit}
      to={{ reservationId }}
      label="Assign"
      of={guestName ?? reservationId}
      ask="Rooms that are free for the whole stay:"
    >
      <Entry name="unitId" label="Room" choices={rooms} />
    </Act>
  ) : null;
};
