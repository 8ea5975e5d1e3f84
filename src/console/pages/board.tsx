import type { BoardStay, BoardUnit, Occupancy, RoomBoardView } from '../../features/boards/boards.dto.js';
import { getRoomBoard } from '../../features/boards/boards.operations.js';
import { cleaningStatuses } from '../../tenancy/properties/property.dto.js';
import { listProperties } from '../../tenancy/properties/properties.operations.js';
import { setUnitStatus } from '../../tenancy/units/units.operations.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { More } from '../parts/list.js';
import { humanized, Local, State, To } from '../parts/words.js';
import { type FreeRooms, freeRoomsFor, Unassigned } from './unassigned.js';

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

interface Titled {
  /** The name of the property. */
  title: string;
  board: RoomBoardView;
  free: FreeRooms;
}

export async function boardsOf(visit: Visit, properties: readonly { id: string; name?: string }[]): Promise<Titled[]> {
  const { date } = visit.query;
  const boards = properties.map(async ({ id: propertyId, name: title = 'Rooms' }): Promise<Titled> => {
    const board = await visit.ask(getRoomBoard, { propertyId, ...(date && { date }) });
    return { title, board, free: await freeRoomsFor(visit, board) };
  });
  return (await Promise.all(boards)).filter(({ board }) => board.units.length + board.unassigned.length > 0);
}

export const Boards = ({ of }: { of: readonly Titled[] }) => (
  <>
    {of.map((one) => (
      <Board key={one.board.propertyId} {...one} />
    ))}
  </>
);

/** The rooms of one property by floor, and the arrivals that have none yet. */
const Board = ({ title, board, free }: Titled) => (
  <>
    <h2>{title}</h2>
    {board.unassigned.length > 0 && <Unassigned board={board} free={free} />}
    {[...Map.groupBy(board.units, ({ floor }) => floor ?? '')].map(([floor, rooms]) => (
      <section key={floor}>
        <h3>{floor ? `Floor ${floor}` : 'Rooms'}</h3>
        <ul class="rooms">
          {rooms.map((unit) => (
            <Room key={unit.unitId} unit={unit} board={board} />
          ))}
        </ul>
      </section>
    ))}
  </>
);

const stillThere: readonly Occupancy[] = ['due_out', 'turnover'];
/** A room that expects nobody tonight expects guests who leave on the same day. */
const isToLeave = ({ occupancy, tonight }: BoardUnit): boolean =>
  stillThere.includes(occupancy) || (occupancy === 'due_in' && !tonight);

const nameOf = ({ guestName }: BoardStay): string => guestName ?? 'no name';

interface LeavingProps {
  stay: BoardStay;
  isThere: boolean;
  date: string;
}

/** Guests who have left, or moved to another room, have no departure to come. */
const Leaving = ({ stay, isThere, date }: LeavingProps) => {
  const { departureLocal } = stay;
  const guest = nameOf(stay);
  if (!isThere) return <>, left: {guest}</>;
  if (departureLocal < date)
    return (
      <>
        , should have left on {departureLocal.slice(0, 10)}: {guest}
      </>
    );
  return (
    <>
      , leaves <Local at={departureLocal} />: {guest}
    </>
  );
};

/** None of them blocks nights, which people expect of two. */
const statuses: Choices = cleaningStatuses.map((status) => [
  status,
  status.startsWith('out_of') ? `${humanized(status)} – can still be booked` : humanized(status),
]);

interface RoomProps {
  unit: BoardUnit;
  board: RoomBoardView;
}

const Room = ({ unit, board: { propertyId, date } }: RoomProps) => (
  <li class={`room ${unit.occupancy}`}>
    <strong>{unit.name}</strong> <State is={unit.cleaningStatus} />
    <small>
      {humanized(unit.occupancy)}
      {unit.leaving && <Leaving stay={unit.leaving} isThere={isToLeave(unit)} date={date} />}
      {unit.tonight && `, tonight: ${nameOf(unit.tonight)}`}
      {unit.alsoTonight.length > 0 && `, and at the same time: ${unit.alsoTonight.map(nameOf).join(', ')}`}
      {unit.noShow && `, kept for a no-show: ${nameOf(unit.noShow)}`}
    </small>
    {unit.block && (
      <small>
        <To page={`properties/${propertyId}#${unit.block.blockId}`}>{humanized(unit.block.kind)}</To>
      </small>
    )}
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
      <Entry name="cleaningStatus" label="Cleaning" value={unit.cleaningStatus} choices={statuses} />
    </Act>
  </li>
);
