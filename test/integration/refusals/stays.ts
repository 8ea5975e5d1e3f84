import { pushedBy } from '../../support/factories.js';
import { day } from '../../support/hotel.js';
import { asking, type Case, type World } from './world.js';

let nights = 200;
/** Two nights that no other stay has. */
const fresh = (): [number, number] => [(nights += 3), nights + 2];

export async function stays(world: World): Promise<Case[]> {
  const { api, hotel, done } = world;
  const { rooms, types, propertyId } = hotel;
  const stayIn = (place: string, wishes?: object) => hotel.stay(...fresh(), place, wishes);
  const ask = asking(world);
  /** A stay, and the request that follows. */
  const of = (name: string, code: string, make: () => Promise<{ id: string }>, input: object = {}): Case =>
    ask(name, code, async () => ({ reservationId: (await make()).id, ...input }));

  const inquiry = () => stayIn('102', { status: 'inquiry' });
  const moved = (input: object) => ({ checkInDate: day(150), checkOutDate: day(152), ...input });
  const archived = await archivedPlaces(world);
  const cancelledIn = async (place: { propertyId: string; unitId?: string; unitTypeId?: string }) => {
    const { id } = await done('createReservation', { ...place, checkInDate: day(1), checkOutDate: day(2) });
    return await done('cancelReservation', { reservationId: id });
  };
  /** A cancelled stay at a place that was archived afterwards. */
  const lost = async (archive: 'archiveProperty' | 'archiveUnit' | 'archiveUnitType') => {
    const house = (await done('createProperty', { name: 'House', timezone: 'UTC' })).id as string;
    const unitTypeId = (await done('createUnitType', { propertyId: house, name: 'One' })).id as string;
    const unitId = (await done('createUnit', { propertyId: house, name: '1', unitTypeId })).id as string;
    const { [archive]: place } = { archiveProperty: {}, archiveUnit: { unitId }, archiveUnitType: { unitTypeId } };
    const stay = await cancelledIn({ propertyId: house, ...place });
    if (archive === 'archiveUnitType') await done('archiveUnit', { propertyId: house, unitId });
    await done(archive, { propertyId: house, ...place });
    return stay;
  };
  const block = { propertyId, unitId: rooms[102], kind: 'out_of_order', from: day(170), until: day(172) };
  await done('createUnitBlock', block);
  const inBlock = { checkInDate: day(170), checkOutDate: day(172) };
  const merged = await mergedGuest(world);
  const simulated = await importedStay(world);
  const push = await pushedBy(api);
  /** A stay that another system writes to us. */
  const owned = async () => {
    const [from, until] = fresh();
    const dates = { checkInDate: day(from), checkOutDate: day(until) };
    return await done('saveReservationByRef', { connectionId: push, externalId: `S${from}`, propertyId, ...dates });
  };

  /** At a property that has been archived since. */
  const pastStay = async () => {
    const { id: house } = await done('createProperty', { name: 'House', timezone: 'UTC' });
    const stay = await done('createReservation', { propertyId: house, checkInDate: day(-9), checkOutDate: day(-7) });
    await done('archiveProperty', { propertyId: house });
    return stay;
  };
  const dayUse = (at: string) => {
    const times = { arrivalAt: `${day(160)}T10:00:00Z`, departureAt: `${day(160)}T18:00:00Z` };
    return done('createReservation', {
      propertyId: at,
      unitId: rooms[101],
      checkInDate: day(160),
      checkOutDate: day(160),
      ...times,
    });
  };

  return [
    ...['checkOutReservation', 'markNoShow', 'undoCheckIn', 'undoCheckOut', 'undoNoShow'].map((name) =>
      of(name, 'RESERVATION_NOT_CONFIRMED', inquiry),
    ),
    ask('createReservation', 'GUEST_GIVEN_TWICE', {
      propertyId,
      ...moved({}),
      primaryGuest: { id: world.ids.guestId, name: 'Somebody else' },
    }),
    ask('createReservation', 'GUEST_MERGED', { propertyId, ...moved({}), primaryGuest: { id: merged } }),
    ask('createReservation', 'UNIT_TYPE_ARCHIVED', { propertyId, ...moved({}), unitTypeId: archived.unitTypeId }),
    of('moveReservation', 'STAY_TOO_LONG', () => stayIn('101'), { checkInDate: day(1), checkOutDate: day(2_000) }),
    of('moveReservation', 'STAY_WITHOUT_A_NIGHT', () => stayIn('101'), { checkInDate: day(2), checkOutDate: day(1) }),
    of('moveReservation', 'PROPERTY_ARCHIVED', () => stayIn('101'), moved({ propertyId: archived.propertyId })),
    of('moveReservation', 'UNIT_ARCHIVED', () => stayIn('101'), moved({ unitId: archived.unitId })),
    of('moveReservation', 'UNIT_TYPE_ARCHIVED', () => stayIn('101'), moved({ unitTypeId: archived.unitTypeId })),
    of('moveReservation', 'UNIT_BLOCKED', () => stayIn('101'), { unitId: rooms[102], ...inBlock }),
    of(
      'moveReservation',
      'UNIT_OF_ANOTHER_TYPE',
      () => stayIn('101'),
      moved({ unitId: rooms[101], unitTypeId: types.single }),
    ),
    of(
      'moveReservation',
      'UNIT_TYPE_FULL',
      async () => {
        await hotel.stay(184, 186, 'single');
        return await hotel.stay(184, 186, 'double');
      },
      { checkInDate: day(184), checkOutDate: day(186), unitTypeId: types.single },
    ),
    of(
      'moveReservation',
      'UNIT_NOT_ASSIGNED',
      async () => {
        const stay = await stayIn('101');
        return await done('checkInReservation', { reservationId: stay.id, early: true });
      },
      moved({ unitTypeId: types.double }),
    ),
    of('updateReservation', 'ARRIVAL_ON_ANOTHER_DAY', () => stayIn('101'), { arrivalAt: `${day(1)}T10:00:00Z` }),
    of('updateReservation', 'DEPARTURE_ON_ANOTHER_DAY', () => stayIn('101'), { departureAt: `${day(1)}T10:00:00Z` }),
    of('updateReservation', 'STAY_WITHOUT_A_NIGHT', () => dayUse(propertyId), { arrivalAt: `${day(160)}T20:00:00Z` }),
    of('updateReservation', 'UNIT_BLOCKED', () => hotel.stay(170, 172, '102', { status: 'inquiry' }), {
      status: 'confirmed',
    }),
    of('assignUnit', 'PROPERTY_ARCHIVED', () => pastStay(), { unitId: rooms[101] }),
    of('assignUnit', 'UNIT_ARCHIVED', () => stayIn('double'), { unitId: archived.unitId }),
    of(
      'assignUnit',
      'UNIT_TYPE_FULL',
      async () => {
        await hotel.stay(180, 182, 'single');
        return await hotel.stay(180, 182, 'double');
      },
      { unitId: rooms[201], force: true },
    ),
    ...['assignUnit', 'unassignUnit'].map((name) =>
      ask(name, 'PROVIDER_OWNED', { reservationId: simulated, ...(name === 'assignUnit' && { unitId: rooms[101] }) }),
    ),
    of('unassignUnit', 'RESERVATION_NOT_MOVABLE', () => cancelledIn({ propertyId, unitId: rooms[101] as string })),
    of('reinstateReservation', 'PROPERTY_ARCHIVED', () => lost('archiveProperty')),
    of('reinstateReservation', 'UNIT_ARCHIVED', () => lost('archiveUnit')),
    of('reinstateReservation', 'UNIT_TYPE_ARCHIVED', () => lost('archiveUnitType')),
    of('reinstateReservation', 'PROVIDER_OWNED', owned),
    ...blocks(world),
    ask('cancelReservationByRef', 'RESERVATION_NOT_CONFIRMED', async () => {
      const nights = { checkInDate: day(0), checkOutDate: day(2), stayStatus: 'checked_in' };
      const theirs = { connectionId: push, externalId: 'in house' };
      await done('saveReservationByRef', { ...theirs, propertyId, unitId: rooms[102], ...nights });
      return theirs;
    }),
    ask('cancelReservationByRef', 'PROVIDER_OWNED', async () => {
      const connectionId = await pushedBy(api);
      const { id } = await owned();
      await done('updateReservation', { reservationId: id, externalRefs: [{ connectionId, externalId: 'theirs' }] });
      return { connectionId, externalId: 'theirs' };
    }),
  ];
}

/** A property, a unit and a unit type that are archived; the unit and the type belong to the hotel. */
export async function archivedPlaces({ hotel, done }: World) {
  const { propertyId: at } = hotel;
  const { id: propertyId } = await done('createProperty', { name: 'Old house', timezone: 'UTC' });
  const { id: unitId } = await done('createUnit', { propertyId: at, name: 'Old room' });
  const { id: unitTypeId } = await done('createUnitType', { propertyId: at, name: 'Old type' });
  await done('archiveProperty', { propertyId });
  await done('archiveUnit', { propertyId: at, unitId });
  await done('archiveUnitType', { propertyId: at, unitTypeId });
  return { propertyId, unitId, unitTypeId } as Record<'propertyId' | 'unitId' | 'unitTypeId', string>;
}

export async function mergedGuest({ done, ids }: World): Promise<string> {
  const { id: fromGuestId } = await done('createGuest', { name: 'Ana again' });
  await done('mergeGuests', { guestId: ids.guestId, fromGuestId });
  return fromGuestId as string;
}

/** A stay that we import from another system. */
async function importedStay({ done }: World): Promise<string> {
  const { id: propertyId } = await done('createProperty', { name: 'Imported', timezone: 'UTC' });
  const account = {
    provider: 'simulator',
    kind: 'pms',
    name: 'Simulated PMS',
    credentials: {},
    settings: { propertyId },
  };
  await done('createConnection', account);
  return (await done('listReservations', { propertyId }))[0].id as string;
}

function blocks({ hotel, door, done }: World): Case[] {
  const { propertyId, rooms } = hotel;
  const block = (unit: string, from: number, until: number) => ({
    propertyId,
    unitId: rooms[unit],
    kind: 'out_of_order',
    from: day(from),
    until: day(until),
  });
  const update = async (name: string, from: number, input: object) => {
    const { id: blockId } = await done('createUnitBlock', block(name, from, from + 1));
    return await door.ask('updateUnitBlock', { propertyId, blockId, ...input });
  };
  return [
    ['updateUnitBlock', 'BLOCK_WITHOUT_NIGHT', () => update('101', 500, { until: day(500) })],
    [
      'updateUnitBlock',
      'RESERVATION_OVERLAP',
      async () => {
        await hotel.stay(511, 512, '101');
        return await update('101', 510, { until: day(512) });
      },
    ],
    [
      'updateUnitBlock',
      'UNIT_WITHOUT_TYPE',
      async () => {
        await hotel.stay(521, 522, 'annex');
        return await update('annex', 520, { until: day(522), force: true });
      },
    ],
    [
      'createUnitBlock',
      'UNIT_WITHOUT_TYPE',
      async () => {
        await hotel.stay(531, 532, 'annex');
        return await door.ask('createUnitBlock', { ...block('annex', 531, 532), force: true });
      },
    ],
  ];
}
