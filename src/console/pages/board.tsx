import type {
  BoardStay,
  BoardUnit,
  Occupancy,
  RoomBoardView,
  UnassignedArrivals,
} from '../../features/boards/boards.dto.js';
import { getRoomBoard } from '../../features/boards/boards.operations.js';
import { assignUnit, assignUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { listProperties } from '../../tenancy/properties/properties.operations.js';
import { setUnitStatus } from '../../tenancy/units/units.operations.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { More } from '../parts/list.js';
import { humanized, Local, State } from '../parts/words.js';

const boardsAtOnce = 5;

/** The rooms of every property, a few properties at a time; those that are let as a whole have none. */
export async function roomsEverywhere(visit: Visit) {
  const page = await visit.list(listProperties, [], { limit: boardsAtOnce, sort: 'name' });
  const boards = await boardsOf(visit, page.items);
  return (
    <>
      <Boards of={boards} />
      {visit.query.cursor && boards.length === 0 && <p class="soft">These properties have no rooms.</p>}
      <More after={page} label="Rooms of more properties" />
    </>
  );
}

type Titled = readonly [title: string, board: RoomBoardView];

export async function boardsOf({ ask, query: { date } }: Visit, properties: readonly { id: string; name?: string }[]) {
  const boards = properties.map(async ({ id: propertyId, name = 'Rooms' }): Promise<Titled> => {
    return [name, await ask(getRoomBoard, { propertyId, ...(date && { date }) })];
  });
  return (await Promise.all(boards)).filter(([, { units, unassigned }]) => units.length + unassigned.length > 0);
}

export const Boards = ({ of }: { of: readonly Titled[] }) => (
  <>
    {of.map(([title, board]) => (
      <Board key={board.propertyId} title={title} board={board} />
    ))}
  </>
);

interface BoardProps {
  /** The name of the property. */
  title: string;
  board: RoomBoardView;
}

/** The rooms of one property by floor, and the arrivals that have none yet. */
const Board = ({ title, board: { propertyId, date, units, unassigned } }: BoardProps) => (
  <>
    <h2>{title}</h2>
    {unassigned.length > 0 && (
      <section class="panel">
        <h3>Arrivals without a room</h3>
        {unassigned.map((type) => (
          <Unassigned key={type.unitTypeId} type={type} units={units} />
        ))}
        <div class="acts">
          <Act does={assignUnits} to={{ propertyId, date }} label="Assign rooms automatically" />
        </div>
      </section>
    )}
    {[...Map.groupBy(units, ({ floor }) => floor ?? '')].map(([floor, rooms]) => (
      <section key={floor}>
        <h3>{floor ? `Floor ${floor}` : 'Rooms'}</h3>
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
    <h4>{type.name}</h4>
    <ul class="points">
      {type.reservations.map(({ reservationId, guestName, arrivalLocal }) => (
        <li key={reservationId}>
          {guestName ?? 'no name'}, <Local at={arrivalLocal} />{' '}
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

const stillThere: readonly Occupancy[] = ['due_out', 'turnover'];
/** A room that expects nobody tonight expects guests who leave on the same day. */
const isToLeave = ({ occupancy, tonight }: BoardUnit): boolean =>
  stillThere.includes(occupancy) || (occupancy === 'due_in' && !tonight);

/** Guests who have left, or moved to another room, have no departure to come. */
const Leaving = ({ stay: { guestName, departureLocal }, isThere }: { stay: BoardStay; isThere: boolean }) => (
  <>
    {isThere ? (
      <>
        , leaves <Local at={departureLocal} />
      </>
    ) : (
      ', left'
    )}
    : {guestName ?? 'no name'}
  </>
);

const Room = ({ unit, propertyId }: { unit: BoardUnit; propertyId: string }) => (
  <li class={`room ${unit.occupancy}`}>
    <strong>{unit.name}</strong> <State is={unit.cleaningStatus} />
    <small>
      {humanized(unit.occupancy)}
      {unit.leaving && <Leaving stay={unit.leaving} isThere={isToLeave(unit)} />}
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
