import type { PropertyView } from '../../tenancy/properties/property.dto.js';
import { createProperty, listProperties } from '../../tenancy/properties/properties.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { Act, FoldedAct } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { Filters } from '../parts/filters.js';
import { List } from '../parts/list.js';
import { humanized, State, To } from '../parts/words.js';

const filters = ['q', 'archived'] as const;

export const properties: ConsolePage = {
  path: 'properties',
  title: 'Properties',
  needs: 'properties:read',
  forms: [form(createProperty, 'The property was added.', { next: ({ id }) => `properties/${id}` })],
  async show(visit) {
    const page = await visit.list(listProperties, filters);
    return (
      <>
        <p class="soft">Hotels, houses and apartments, with their room types and rooms.</p>
        <FoldedAct does={createProperty} title="Add a property" isOpen={visit.refused !== undefined}>
          <Act does={createProperty} label="Add the property" isPrimary>
            <PropertyEntries of={{ timezone: visit.membership.timezone }} />
          </Act>
        </FoldedAct>
        <Filters of={listProperties} names={filters} labels={{ q: 'Name' }} />
        <List
          caption="Properties"
          page={page}
          empty="No properties match these filters."
          columns={[
            ['Name', ({ id, name }) => <To page={`properties/${id}`}>{name}</To>],
            ['Kind', ({ type }) => humanized(type)],
            ['Town', ({ address }) => address?.city ?? '–'],
            ['Time zone', ({ timezone }) => timezone],
            ['State', ({ archivedAt }) => <State is={archivedAt === null ? 'active' : 'archived'} />],
          ]}
        />
      </>
    );
  },
};

/** What people say of a property when they add it, and may change later. */
export const PropertyEntries = ({ of }: { of: Partial<PropertyView> }) => (
  <>
    <Entry name="name" value={of.name} />
    <Entry name="type" label="Kind" value={of.type ?? 'hotel'} />
    <Entry name="timezone" label="Time zone" value={of.timezone} hint="Such as Europe/Lisbon." />
    <Entry name="checkInTime" label="Check-in from" value={of.checkInTime ?? '15:00'} />
    <Entry name="checkOutTime" label="Check-out by" value={of.checkOutTime ?? '11:00'} />
  </>
);
