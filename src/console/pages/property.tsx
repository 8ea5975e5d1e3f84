import type { UnitTypeView } from '../../tenancy/unit-types/unit-type.dto.js';
import { archiveUnitType, createUnitType, listUnitTypes } from '../../tenancy/unit-types/unit-types.operations.js';
import type { UnitView } from '../../tenancy/units/unit.dto.js';
import { archiveUnit, createUnit, listUnits, updateUnit } from '../../tenancy/units/units.operations.js';
import {
  archiveProperty,
  getProperty,
  restoreProperty,
  updateProperty,
} from '../../tenancy/properties/properties.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, FoldedAct } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Facts, List, Table } from '../parts/list.js';
import { humanized, Id, State, To } from '../parts/words.js';
import { PropertyEntries } from './properties.js';

export const property: ConsolePage = {
  path: 'properties/:propertyId',
  title: 'Property',
  needs: 'properties:read',
  forms: [
    form(updateProperty, 'The property is changed.'),
    form(archiveProperty, 'The property is archived.'),
    form(restoreProperty, 'The property is restored.'),
    form(createUnitType, 'The room type is added.'),
    form(archiveUnitType, 'The room type is archived.'),
    form(createUnit, 'The room is added.'),
    form(updateUnit, 'The room is changed.'),
    form(archiveUnit, 'The room is archived.'),
  ],
  async show(visit) {
    const propertyId = visit.params.propertyId as string;
    const [one, types, units] = await Promise.all([
      visit.ask(getProperty, { propertyId }),
      visit.ask(listUnitTypes, { propertyId, limit: 100 }),
      visit.list(listUnits, [], { propertyId, sort: 'createdAt' }),
    ]);
    const choices: Choices = types.items.map(({ id, name }) => [id, name]);
    const isOpen = one.archivedAt === null;
    return (
      <>
        <section class="panel">
          <Facts
            of={{
              Name: one.name,
              Kind: humanized(one.type),
              Town: one.address?.city,
              'Time zone': one.timezone,
              'Check-in from': one.checkInTime,
              'Check-out by': one.checkOutTime,
              State: <State is={isOpen ? 'active' : 'archived'} />,
              Id: <Id id={one.id} />,
            }}
          />
          <p>
            <To page={`today?propertyId=${propertyId}`}>Room board</To> ·{' '}
            <To page={`calendar?propertyId=${propertyId}`}>Calendar</To> ·{' '}
            <To page={`reservations?propertyId=${propertyId}`}>Reservations</To>
          </p>
          <div class="acts">
            {isOpen ? (
              <>
                <Act does={updateProperty} to={{ propertyId }} label="Change" ask="Applies to future stays too.">
                  <PropertyEntries of={one} />
                </Act>
                <Act
                  does={archiveProperty}
                  to={{ propertyId }}
                  label="Archive"
                  ask="It takes no new stays and leaves the lists. It can be restored."
                />
              </>
            ) : (
              <Act does={restoreProperty} to={{ propertyId }} label="Restore" />
            )}
          </div>
        </section>
        <h2>Room types</h2>
        <Types types={types.items} />
        {isOpen && (
          <FoldedAct
            does={createUnitType}
            title="Add a room type"
            isOpen={types.items.length === 0 || visit.refused?.operation === 'createUnitType'}
          >
            <Act does={createUnitType} to={{ propertyId }} label="Add the room type">
              <Entry name="name" hint="Such as Double room." />
              <Entry name="code" hint="A short code, such as DBL." />
              <Entry name="capacity" label="Guests at most" />
              <Entry name="bedConfiguration" label="Beds" hint="Such as 1 king." />
            </Act>
          </FoldedAct>
        )}
        <h2>Rooms</h2>
        <List
          caption="Rooms"
          page={units}
          empty="No rooms: the property is booked as a whole."
          columns={[
            ['Room', ({ name }) => <strong>{name}</strong>],
            ['Type', ({ unitTypeId }) => choices.find(([id]) => id === unitTypeId)?.[1] ?? '–'],
            ['Floor', ({ floor }) => floor ?? '–'],
            ['State', ({ cleaningStatus }) => <State is={cleaningStatus} />],
            ['', (unit) => <UnitActs unit={unit} types={choices} />],
          ]}
        />
        {isOpen && (
          <FoldedAct
            does={createUnit}
            title="Add a room"
            isOpen={types.items.length > 0 || visit.refused?.operation === 'createUnit'}
          >
            <Act does={createUnit} to={{ propertyId }} label="Add the room">
              <UnitEntries types={choices} />
            </Act>
          </FoldedAct>
        )}
      </>
    );
  },
};

const Types = ({ types }: { types: readonly UnitTypeView[] }) => (
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
        ({ id: unitTypeId, propertyId, name }) => (
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
);

const UnitEntries = ({ unit, types }: { unit?: UnitView; types: Choices }) => (
  <>
    <Entry name="name" label="Name or number" value={unit?.name} />
    {types.length > 0 && (
      <Entry name="unitTypeId" label="Room type" value={unit ? unit.unitTypeId : types[0]?.[0]} choices={types} />
    )}
    <Entry name="floor" value={unit?.floor} />
  </>
);

const UnitActs = ({ unit, types }: { unit: UnitView; types: Choices }) => {
  const { id: unitId, propertyId, name } = unit;
  return (
    <div class="acts">
      <Act does={updateUnit} to={{ propertyId, unitId }} label="Change" of={name} ask="Its name, type and floor:">
        <UnitEntries unit={unit} types={types} />
      </Act>
      <Act
        does={archiveUnit}
        to={{ propertyId, unitId }}
        label="Archive"
        of={name}
        ask="The room leaves the lists and takes no new stays. It can be restored."
      />
    </div>
  );
};
