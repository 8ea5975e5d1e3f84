import { TenantDatabase } from '#persistence';
import { ReferencesRepository } from '../../../src/tenancy/references/references.repository.js';
import { keyWith, pushedBy } from '../../support/factories.js';
import { day } from '../../support/hotel.js';
import type { Service } from '../../support/start-app.js';
import { archivedPlaces, mergedGuest } from './stays.js';
import type { Case, World } from './world.js';

/** The errors of a save by reference that depend on its content, as for people. */
export async function saves(world: World, service: Service): Promise<Case[]> {
  const { api, door, hotel, done, ids } = world;
  const { propertyId, rooms, types } = hotel;
  const orgId = (await done('getMe')).organization.id as string;
  const [connectionId, strict] = [await pushedBy(api), await pushedBy(api, { ownsOverlaps: false })];
  const ofHotel = await pushedBy(api, { propertyId });
  const archived = await archivedPlaces(world);
  const nights = { checkInDate: day(300), checkOutDate: day(302) };
  const guest = await mergedGuest(world);
  await done('updateGuest', { guestId: ids.guestId, externalRefs: [{ connectionId, externalId: 'Ana' }] });
  let count = 0;
  const stay = (code: string, said: object, by = connectionId): Case => [
    'saveReservationByRef',
    code,
    () =>
      door.ask('saveReservationByRef', {
        connectionId: by,
        externalId: `S${(count += 1)}`,
        propertyId,
        ...nights,
        ...said,
      }),
  ];
  const save = (name: string, code: string, said: object): Case => [
    name,
    code,
    () => door.ask(name, { connectionId, externalId: `R${(count += 1)}`, ...said }),
  ];
  await done('createUnitBlock', {
    propertyId,
    unitId: rooms[101],
    kind: 'out_of_order',
    from: day(310),
    until: day(311),
  });
  const blocked = { unitId: rooms[101], checkInDate: day(310), checkOutDate: day(311) };
  const full = { unitTypeId: types.single, checkInDate: day(320), checkOutDate: day(321) };
  await done('createReservation', { propertyId, ...full });
  const { unitId: single } = { unitId: rooms[201] };
  await done('updateUnit', { propertyId, unitId: single, externalRefs: [{ connectionId, externalId: '201' }] });
  const { api: limited } = await keyWith(api, { propertyIds: [propertyId] });
  await done('createUnitType', { propertyId, name: 'Attic', code: 'ATT' });
  return [
    stay('STAY_TOO_LONG', { checkOutDate: day(2_000) }),
    stay('STAY_WITHOUT_A_NIGHT', { checkOutDate: day(299) }),
    stay('ARRIVAL_ON_ANOTHER_DAY', { arrivalAt: `${day(301)}T10:00:00Z` }),
    stay('DEPARTURE_ON_ANOTHER_DAY', { departureAt: `${day(301)}T10:00:00Z` }),
    stay('GUEST_GIVEN_TWICE', { primaryGuest: { id: ids.guestId, name: 'Somebody else' } }),
    stay('GUEST_MERGED', { primaryGuest: { id: guest } }),
    stay('PROPERTY_ARCHIVED', { propertyId: archived.propertyId }),
    stay('UNIT_ARCHIVED', { unitId: archived.unitId }),
    stay('UNIT_TYPE_ARCHIVED', { unitTypeId: archived.unitTypeId }),
    stay('RESERVATION_NOT_CONFIRMED', { status: 'cancelled', stayStatus: 'checked_in' }),
    stay('UNIT_NOT_ASSIGNED', { unitTypeId: types.double, stayStatus: 'checked_in' }),
    stay('UNIT_BLOCKED', blocked, strict),
    stay('UNIT_TYPE_FULL', full, strict),
    ['saveGuestByRef', 'GUEST_NEEDS_A_STAY', () => limited.put(`/connections/${ofHotel}/guests/new`, { name: 'Bea' })],
    [
      'saveGuestByRef',
      'GUEST_MERGED',
      async () => {
        // As it is for a moment, before the permanent one has the name.
        const name = { resource: 'guest' as const, connectionId, externalId: 'merged' };
        await service.app
          .get(TenantDatabase)
          .transaction(orgId, () => service.app.get(ReferencesRepository).add(orgId, name, guest));
        return await door.ask('saveGuestByRef', { connectionId, externalId: 'merged', name: 'Bea' });
      },
    ],
    save('saveUnitByRef', 'PROPERTY_ARCHIVED', { propertyId: archived.propertyId, name: '1' }),
    save('saveUnitByRef', 'UNIT_TYPE_ARCHIVED', { propertyId, name: '1', unitTypeId: archived.unitTypeId }),
    save('saveUnitByRef', 'UNIT_CONNECTS_TO_ITSELF', { externalId: '201', connectsTo: [single] }),
    save('saveUnitByRef', 'UNIT_TYPE_FULL', { externalId: '201', unitTypeId: types.double }),
    save('saveUnitTypeByRef', 'PROPERTY_ARCHIVED', { propertyId: archived.propertyId, name: 'One' }),
    save('saveUnitTypeByRef', 'UNIT_TYPE_CODE_TAKEN', { propertyId, name: 'Other attic', code: 'ATT' }),
    [
      'createUnit',
      'UNIT_TYPE_ARCHIVED',
      () => door.ask('createUnit', { propertyId, name: '1', unitTypeId: archived.unitTypeId }),
    ],
  ];
}
