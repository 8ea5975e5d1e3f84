import type { BoardUnit, RoomBoardView, UnassignedArrivals } from '../../features/boards/boards.dto.js';
import { assignUnit, assignUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { setUnitStatus } from '../../tenancy/units/units.operations.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { humanized, State } from '../parts/words.js';

/** The rooms of one property by floor, and the arrivals that have none yet. */
export const Board = ({ board: { propertyId, date, units, unassigned } }: { board: RoomBoardView }) => (
  <>
    {unassigned.length > 0 && (
      <section class="panel">
        <h2>Arrivals without a room</h2>
        {unassigned.map((type) => (
          <Unassigned key={type.unitTypeId} type={type} units={units} />
        ))}
        <div class="acts">
          <Act does={assignUnits} to={{ propertyId, date }} label="Assign all that can be" />
        </div>
      </section>
    )}
    {[...Map.groupBy(units, ({ floor }) => floor ?? '')].map(([floor, rooms]) => (
      <section key={floor}>
        <h2>{floor ? `Floor ${floor}` : 'Rooms'}</h2>
        <ul class="rooms">
          {rooms.map((unit) => (
            <Room key={unit.unitId} unit={unit} propertyId={propertyId} />
          ))}
        </ul>
      </section>
    ))}
  </>
);

const Unassigned = ({ type, units }: { type: UnassignedArrivals; units: readonly BoardUnit[] }) => (
  <>
    <h3>{type.name}</h3>
    <ul class="points">
      {type.reservations.map(({ reservationId, guestName, arrivalLocal }) => (
        <li key={reservationId}>
          {guestName ?? 'no name'}, {arrivalLocal.slice(11)}{' '}
          <Act
            does={assignUnit}
            to={{ reservationId }}
            label="Assign"
            of={guestName ?? reservationId}
            ask="Which room?"
          >
            <Entry
              name="unitId"
              label="Room"
              choices={units
                .filter(({ unitTypeId, tonight }) => unitTypeId === type.unitTypeId && tonight === null)
                .map(({ unitId, name }) => [unitId, name])}
            />
          </Act>
        </li>
      ))}
    </ul>
  </>
);

const Room = ({ unit, propertyId }: { unit: BoardUnit; propertyId: string }) => (
  <li class={`room ${unit.occupancy}`}>
    <strong>{unit.name}</strong> <State is={unit.cleaningStatus} />
    <small>
      {humanized(unit.occupancy)}
      {unit.leaving && `, leaves ${unit.leaving.departureLocal.slice(11)}: ${unit.leaving.guestName ?? 'no name'}`}
      {unit.tonight && `, tonight: ${unit.tonight.guestName ?? 'no name'}`}
    </small>
    {unit.block && <small>{humanized(unit.block.kind)}</small>}
    {unit.doNotDisturb && <small>Do not disturb</small>}
    {unit.makeUpRoom && <small>Make up the room</small>}
    {unit.openTasks.count > 0 && (
      <small>
        {unit.openTasks.count} open {unit.openTasks.count === 1 ? 'task' : 'tasks'}
      </small>
    )}
    <Act
      does={setUnitStatus}
      to={{ propertyId, unitId: unit.unitId }}
      label="Set status"
      of={unit.name}
      ask="Set the status to:"
    >
      <Entry name="cleaningStatus" label="Cleaning" value={unit.cleaningStatus} />
    </Act>
  </li>
);
