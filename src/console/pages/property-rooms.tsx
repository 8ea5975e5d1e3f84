import type { Page } from '#operations';
import type { UnitBlockView } from '../../features/reservations/blocks/unit-block.dto.js';
import type { UnitTypeView } from '../../tenancy/unit-types/unit-type.dto.js';
import { archiveUnitType, createUnitType } from '../../tenancy/unit-types/unit-types.operations.js';
import type { UnitView } from '../../tenancy/units/unit.dto.js';
import { archiveUnit, createUnit, restoreUnit, updateUnit } from '../../tenancy/units/units.operations.js';
import { useVisit } from '../frame/visit.js';
import { Act, FoldedAct } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { List, Table } from '../parts/list.js';
import { humanized, State, To } from '../parts/words.js';
import { Block, nightsOf } from './blocks.js';

interface OfProperty {
  propertyId: string;
  /** Nothing is added to a property that is archived. */
  isOpen: boolean;
}

export const RoomTypes = ({ types, propertyId, isOpen }: OfProperty & { types: readonly UnitTypeView[] }) => (
  <>
    <h2>Room types</h2>
    <Table
      caption="Room types"
      items={types}
      empty="No room types yet."
      columns={[
        ['Type', ({ name, code }) => (code ? `${name} (${code})` : name)],
        ['Beds', ({ bedConfiguration }) => bedConfiguration ?? '–'],
        ['Guests at most', ({ capacity }) => capacity ?? '–'],
        ['Rooms', ({ unitCount }) => unitCount],
        [
          '',
          ({ id: unitTypeId, name }) => (
            <div class="acts">
              <Act
                does={archiveUnitType}
                to={{ propertyId, unitTypeId }}
                label="Archive"
                of={name}
                ask="It can no longer be booked. This is permanent."
              />
            </div>
          ),
        ],
      ]}
    />
    {isOpen && <NewType propertyId={propertyId} isFirst={types.length === 0} />}
  </>
);

const NewType = ({ propertyId, isFirst }: { propertyId: string; isFirst: boolean }) => (
  <FoldedAct
    does={createUnitType}
    title="Add a room type"
    isOpen={isFirst || useVisit().refused?.operation === 'createUnitType'}
  >
    <Act does={createUnitType} to={{ propertyId }} label="Add the room type">
      <Entry name="name" hint="Such as Double room." />
      <Entry name="code" hint="A short code, such as DBL." />
      <Entry name="capacity" label="Guests at most" />
      <Entry name="bedConfiguration" label="Beds" hint="Such as 1 king." />
    </Act>
  </FoldedAct>
);

interface RoomsProps extends OfProperty {
  page: Page<UnitView>;
  types: Choices;
  /** Those that have not ended. */
  blocks: readonly UnitBlockView[];
  /** The date at the property. */
  today: string;
}

export const Rooms = ({ page, types, blocks, today, propertyId, isOpen }: RoomsProps) => {
  const { query, refused } = useVisit();
  const isArchived = query.archived === 'true';
  const here = `properties/${propertyId}`;
  return (
    <>
      <h2>{isArchived ? 'Archived rooms' : 'Rooms'}</h2>
      <List
        caption="Rooms"
        page={page}
        empty={isArchived ? 'No archived rooms.' : 'No rooms: the property is booked as a whole.'}
        columns={[
          ['Room', ({ name }) => <strong>{name}</strong>],
          ['Type', ({ unitTypeId }) => types.find(([id]) => id === unitTypeId)?.[1] ?? '–'],
          ['Floor', ({ floor }) => floor ?? '–'],
          [
            'State',
            ({ id, cleaningStatus }) => (
              <>
                <State is={isArchived ? 'archived' : cleaningStatus} />
                {blocks
                  .filter(({ unitId, from }) => unitId === id && from <= today)
                  .map((block) => (
                    <small key={block.id}>
                      <a href={`#${block.id}`}>{humanized(block.kind)}</a>, {nightsOf(block)}
                    </small>
                  ))}
              </>
            ),
          ],
          ['', (unit) => <UnitActs unit={unit} types={types} today={today} />],
        ]}
      />
      <p class="below">
        {isArchived ? <To page={here}>Rooms in use</To> : <To page={`${here}?archived=true`}>Archived rooms</To>}
      </p>
      {isOpen && (
        <FoldedAct
          does={createUnit}
          title="Add a room"
          isOpen={types.length > 0 || refused?.operation === 'createUnit'}
        >
          <Act does={createUnit} to={{ propertyId }} label="Add the room">
            <UnitEntries types={types} />
          </Act>
        </FoldedAct>
      )}
    </>
  );
};

const UnitEntries = ({ unit, types }: { unit?: UnitView; types: Choices }) => (
  <>
    <Entry name="name" label="Name or number" value={unit?.name} />
    {types.length > 0 && (
      <Entry name="unitTypeId" label="Room type" value={unit ? unit.unitTypeId : types[0]?.[0]} choices={types} />
    )}
    <Entry name="floor" value={unit?.floor} />
  </>
);

const UnitActs = ({ unit, types, today }: { unit: UnitView; types: Choices; today: string }) => {
  const { id: unitId, propertyId, name, archivedAt } = unit;
  const to = { propertyId, unitId };
  if (archivedAt !== null)
    return (
      <div class="acts">
        <Act does={restoreUnit} to={to} label="Restore" of={name} />
      </div>
    );
  return (
    <div class="acts">
      <Act does={updateUnit} to={to} label="Change" of={name} ask="Its name, type and floor:">
        <UnitEntries unit={unit} types={types} />
      </Act>
      <Block {...{ propertyId, unitId, name, today }} />
      <Act
        does={archiveUnit}
        to={to}
        label="Archive"
        of={name}
        ask="The room is removed from lists and cannot be booked. You can restore it."
      />
    </div>
  );
};
