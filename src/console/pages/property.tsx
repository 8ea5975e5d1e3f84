import { listUnitBlocks } from '../../features/reservations/blocks/unit-blocks.operations.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { archiveUnitType, createUnitType, listUnitTypes } from '../../tenancy/unit-types/unit-types.operations.js';
import { archiveUnit, createUnit, listUnits, restoreUnit, updateUnit } from '../../tenancy/units/units.operations.js';
import {
  archiveProperty,
  getProperty,
  restoreProperty,
  updateProperty,
} from '../../tenancy/properties/properties.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import type { Choices } from '../parts/entry.js';
import { Facts } from '../parts/list.js';
import { humanized, Id, State, To } from '../parts/words.js';
import { Block, blockForms, Blocks } from './blocks.js';
import { roomNamesOf } from './names.js';
import { PropertyEntries } from './properties.js';
import { Rooms, RoomTypes } from './property-rooms.js';

export const property: ConsolePage = {
  path: 'properties/:propertyId',
  title: 'Property',
  needs: 'properties:read',
  forms: [
    form(updateProperty, 'The property was changed.'),
    form(archiveProperty, 'The property was archived.'),
    form(restoreProperty, 'The property was restored.'),
    form(createUnitType, 'The room type was added.'),
    form(archiveUnitType, 'The room type was archived.'),
    form(createUnit, 'The room was added.'),
    form(updateUnit, 'The room was changed.'),
    form(archiveUnit, 'The room was archived.'),
    form(restoreUnit, 'The room was restored.'),
    ...blockForms,
  ],
  async show(visit) {
    const propertyId = visit.params.propertyId as string;
    const [one, types, units, blocks, rooms] = await Promise.all([
      visit.ask(getProperty, { propertyId }),
      visit.ask(listUnitTypes, { propertyId, limit: 100 }),
      visit.list(listUnits, ['archived'], { propertyId, sort: 'createdAt' }),
      visit.ask(listUnitBlocks, { propertyId, sort: 'from', limit: 100 }),
      roomNamesOf(visit, propertyId),
    ]);
    const choices: Choices = types.items.map(({ id, name }) => [id, name]);
    const isOpen = one.archivedAt === null;
    const today = dayIn(one.timezone);
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
                <Block {...{ propertyId, unitId: null, name: one.name, today }} />
                <Act
                  does={archiveProperty}
                  to={{ propertyId }}
                  label="Archive"
                  ask="The property is removed from lists and cannot be booked. You can restore it."
                />
              </>
            ) : (
              <Act does={restoreProperty} to={{ propertyId }} label="Restore" />
            )}
          </div>
        </section>
        <RoomTypes types={types.items} {...{ propertyId, isOpen }} />
        <Rooms page={units} types={choices} blocks={blocks.items} {...{ propertyId, isOpen, today }} />
        <Blocks page={blocks} rooms={rooms} />
      </>
    );
  },
};
