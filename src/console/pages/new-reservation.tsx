import { DateTime } from 'luxon';
import { listAvailableUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { getAvailability } from '../../features/reservations/availability/availability.operations.js';
import { createReservation } from '../../features/reservations/reservations.operations.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { getProperty } from '../../tenancy/properties/properties.operations.js';
import { listUnitTypes } from '../../tenancy/unit-types/unit-types.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import type { Visit } from '../frame/visit.js';
import { Act } from '../parts/act.js';
import { type Choices, Entry } from '../parts/entry.js';
import { Picked } from '../parts/filters.js';
import { choicesOf, namesOf } from './names.js';

const wholeProperty = 'whole';

/** One choice names a room, any room of a type, or the whole property. */
function readStay(fields: Fields, { membership }: Visit): object {
  const { place, primaryGuest: name, email, phone, adults, children } = fields;
  const guest = { name, ...(email && { email }), ...(phone && { phone }) };
  const counts = { adults: Number(adults), ...(children && { children: Number(children) }) };
  const { primaryGuest: _, ...input } = typedInput(createReservation, fields, membership.timezone);
  return {
    ...input,
    ...(place?.startsWith('unit_') && { unitId: place }),
    ...(place?.startsWith('unittype_') && { unitTypeId: place }),
    ...(name && { primaryGuest: guest }),
    ...(adults && { guestCounts: counts }),
  };
}

export const newReservation: ConsolePage = {
  path: 'reservations/new',
  title: 'New reservation',
  needs: 'reservations:write',
  forms: [
    form(createReservation, 'The reservation was created.', {
      read: readStay,
      next: ({ id }) => `reservations/${id}`,
    }),
  ],
  async show(visit) {
    const { query } = visit;
    const properties = choicesOf(await namesOf(visit, 'properties'));
    const propertyId = query.propertyId ?? (properties.length === 1 ? properties[0]?.[0] : undefined);
    const { checkInDate, checkOutDate } = query;
    const nights = propertyId && checkInDate && checkOutDate && { propertyId, checkInDate, checkOutDate };
    const places = nights ? await placesOf(visit, nights) : [];
    const today = DateTime.now().setZone(visit.membership.timezone);
    return (
      <>
        <section class="panel">
          <h2>Where and when</h2>
          <Picked
            of={createReservation}
            names={['propertyId', 'checkInDate', 'checkOutDate']}
            choices={{ propertyId: properties }}
            labels={{ propertyId: 'Property', checkInDate: 'First night', checkOutDate: 'Departure' }}
            values={{
              propertyId: propertyId ?? '',
              checkInDate: today.toISODate() ?? '',
              checkOutDate: today.plus({ days: 1 }).toISODate() ?? '',
            }}
            label="Show free rooms"
          />
        </section>
        {nights && (
          <section class="panel">
            <h2>The stay</h2>
            {places.length === 0 ? (
              <p class="soft">Nothing is free on all of these nights.</p>
            ) : (
              <Act does={createReservation} to={nights} label="Create the reservation" isPrimary>
                <Entry name="place" label="Room" choices={places} isRequired />
                <Entry name="primaryGuest" label="Name of the guest" isRequired />
                <Entry name="email" label="Email address" />
                <Entry name="phone" />
                <Entry name="adults" value="2" />
                <Entry name="children" />
                <Entry name="channel" value="direct" />
                <Entry name="notes" label="Notes for staff" />
              </Act>
            )}
          </section>
        )}
      </>
    );
  },
};

/** What can be booked: any room of a type, a certain room, or the whole property. */
async function placesOf(
  { ask }: Visit,
  {
    propertyId,
    checkInDate: from,
    checkOutDate: until,
  }: { propertyId: string; checkInDate: string; checkOutDate: string },
): Promise<Choices> {
  const { name: property } = await ask(getProperty, { propertyId });
  // A day use has no night that a room could be taken on.
  if (until <= from) {
    const { items: types } = await ask(listUnitTypes, { propertyId, limit: 100 });
    return [...types.map(({ id, name }) => [id, `Any ${name}`] as const), [wholeProperty, `All of ${property}`]];
  }
  const nights = { propertyId, from, until, limit: 100 };
  const { record: bookable } = await ask(getAvailability, nights);
  const { items: units } = await ask(listAvailableUnits, nights);
  const types = new Map(bookable.unitTypes.map((type) => [type.unitTypeId, type]));
  const isSold = (typeId: string | null): boolean => typeId !== null && types.get(typeId)?.free === 0;
  const nameOf = (typeId: string | null): string | undefined => (typeId ? types.get(typeId)?.name : undefined);
  return [
    ...bookable.unitTypes
      .filter(({ unitTypeId }) => !isSold(unitTypeId))
      .map(({ unitTypeId, name, free }) => [unitTypeId, `Any ${name} (${free} free)`] as const),
    ...units
      .filter(({ unitTypeId }) => !isSold(unitTypeId))
      .map(({ id, name, unitTypeId }) => [id, [name, nameOf(unitTypeId)].filter(Boolean).join(', ')] as const),
    ...(bookable.wholeProperty ? [[wholeProperty, `All of ${property}`] as const] : []),
  ];
}
