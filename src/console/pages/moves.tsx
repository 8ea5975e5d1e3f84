import { moveReservation } from '../../features/reservations/reservations.operations.js';
import { isDayUse } from '../../features/reservations/occupancy.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { type ConsoleForm, form } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Picked } from '../parts/filters.js';
import { asNow, hoursOf, isInHouse, type Moving, plannedIn } from './moving.js';
import { placeIn } from './places.js';

/** A place is chosen only where the form has one; a stay in house names its unit itself. */
function readMove({ place, ...fields }: Fields, { membership }: Visit): object {
  const input = typedInput(moveReservation, fields, membership.timezone);
  return { ...input, ...(place !== undefined && place !== asNow && placeIn(place)) };
}

export const moveForm: ConsoleForm = form(moveReservation, 'The stay was moved.', { read: readMove });

interface MoveProps {
  moving: Moving;
  /** What else the address of the page keeps. */
  keep: Readonly<Record<string, string>>;
}

/** The forms that move a stay. */
export const Moves = ({ moving, keep }: MoveProps) =>
  isInHouse(moving.stay) ? (
    <div class="acts">
      <MoveInHouse {...moving} />
    </div>
  ) : (
    <Move moving={moving} keep={keep} />
  );

/** The nights so far stay where the guests were. */
export const MoveInHouse = (moving: Moving) => {
  const { id: reservationId, checkInDate, checkOutDate, unitId, segments } = moving.stay;
  const { today } = moving;
  return (
    <>
      {checkInDate > today && (
        <Act
          does={moveReservation}
          to={{ reservationId, checkInDate: today, checkOutDate: isDayUse(moving.stay) ? today : checkOutDate }}
          label="Begin the stay today"
          isPrimary
        />
      )}
      {plannedIn(segments, today).length > 0 && (
        <Act does={moveReservation} to={{ reservationId, unitId, from: today }} label="Cancel the change of rooms" />
      )}
      {moving.places.length > 0 &&
        (isDayUse(moving.stay) ? <OtherRoomForHours {...moving} /> : <OtherRoom {...moving} />)}
      <Act
        does={moveReservation}
        to={{ reservationId, checkInDate }}
        label="Change the departure"
        ask="The guests keep their room."
      >
        <Entry name="checkOutDate" label="Departure" value={checkOutDate} isRequired />
      </Act>
    </>
  );
};

const OtherRoom = ({ stay, today, dates, places, isAnyFree }: Moving) => (
  <Act
    does={moveReservation}
    to={{ reservationId: stay.id }}
    label="Change the room"
    ask="Earlier nights stay in the room that the guests have now."
  >
    <Entry name="from" label="From which night" value={today} isRequired />
    <Entry
      name="unitId"
      label="Room"
      choices={places}
      placeholder="Choose"
      hint={
        isAnyFree
          ? 'Rooms that are free from today on.'
          : 'None is free from today on. Choose a later night, or an earlier departure.'
      }
    />
    <Entry name="checkOutDate" label="Departure" value={dates.checkOutDate} isRequired />
  </Act>
);

const OtherRoomForHours = ({ stay, dates, places }: Moving) => (
  <Act
    does={moveReservation}
    to={{ reservationId: stay.id, ...dates }}
    label="Change the room"
    ask={`Rooms that are free from ${hoursOf(stay)}:`}
  >
    <Entry name="place" label="Room" choices={places} placeholder="Choose" isRequired />
  </Act>
);

const Move = ({ moving: { stay, dates, isInOrder, places }, keep }: MoveProps) => {
  const isForHours = dates.checkInDate === dates.checkOutDate;
  return (
    <>
      <h3>Move</h3>
      <Picked
        of={moveReservation}
        names={isDayUse(stay) ? ['checkInDate'] : ['checkInDate', 'checkOutDate']}
        labels={{ checkInDate: isDayUse(stay) ? 'Day' : 'First night', checkOutDate: 'Departure' }}
        values={dates}
        keep={keep}
        label="Show free rooms"
      />
      {!isInOrder ? (
        <p class="problem">The departure must be after the first night.</p>
      ) : places.length === 0 ? (
        <p class="soft">No other room is free {isForHours ? 'during these hours' : 'on all of these nights'}.</p>
      ) : (
        <Act does={moveReservation} to={{ reservationId: stay.id, ...dates }} label="Move">
          <Entry
            name="place"
            label={
              isForHours
                ? `Room on ${dates.checkInDate}, ${hoursOf(stay)}`
                : `Room from ${dates.checkInDate} to ${dates.checkOutDate}`
            }
            choices={places}
            placeholder="Choose"
            isRequired
          />
        </Act>
      )}
    </>
  );
};
