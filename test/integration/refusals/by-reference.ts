import { fieldsOf, type Operation } from '#operations';
import { absentId, pushedBy } from '../../support/factories.js';
import { day } from '../../support/hotel.js';
import { type Case, declaring, type World } from './world.js';

/** The minimum input to create each kind of record that has references. */
const least: Record<string, object> = {
  createProperty: { name: 'House', timezone: 'UTC' },
  createUnitType: { name: 'Attic' },
  createUnit: { name: '901' },
  createGuest: { name: 'Bea' },
  createTask: { name: 'Clean' },
  saveProperty: { name: 'House', timezone: 'UTC' },
  saveUnitType: { propertyRef: 'known', name: 'Attic' },
  saveUnit: { propertyRef: 'known', name: '902' },
  saveGuest: { name: 'Bea' },
  saveReservation: { propertyRef: 'known', checkInDate: day(60), checkOutDate: day(62) },
};
let count = 0;
/** The minimum input of an operation besides its references; each call sends something else. */
function contentOf({ name }: Operation, { ids }: World): object {
  count += 1;
  const nights = { propertyId: ids.propertyId, checkInDate: day(100 + count), checkOutDate: day(101 + count) };
  return name === 'createReservation' ? nights : (least[name.replace(/ByRef$/, '')] ?? {});
}

/** A call of an operation that names a record of a connection: in its path, in externalRefs, or as a filter. */
function naming(operation: Operation, world: World, connectionId: string, externalId: string): object {
  const { name, pathParameters, input } = operation;
  const ids = Object.fromEntries(pathParameters.map((parameter) => [parameter, world.ids[parameter]]));
  const named = { ...ids, connectionId, externalId };
  if (name === 'reconcileReservations') return { connectionId, items: [] };
  if (name.endsWith('InBulk')) return { connectionId, items: [{ externalId }] };
  if (name.startsWith('list') || name.startsWith('count')) return named;
  if (pathParameters.includes('externalId'))
    return { ...named, ...(name.startsWith('save') && contentOf(operation, world)) };
  if (!fieldsOf(input).some((field) => field.name === 'externalRefs')) return { connectionId };
  return { ...ids, ...contentOf(operation, world), externalRefs: [{ connectionId, externalId }] };
}

export async function byReference(world: World): Promise<Case[]> {
  const { api, door, stranger, done } = world;
  const [open, other, versioned, over] = [
    await pushedBy(api),
    await pushedBy(api),
    await pushedBy(api),
    await pushedBy(api),
  ];
  const closed = await pushedBy(api, { credentialIds: [] });
  for (const connectionId of [open, other, versioned, over]) {
    const version = connectionId === versioned ? { sourceVersion: 2 } : {};
    for (const [name, content] of Object.entries(least).filter(([one]) => one.startsWith('save')))
      await done(`${name}ByRef`, { connectionId, externalId: 'known', ...content, ...version });
  }
  await done('disconnectConnection', { connectionId: over });
  const simulated = world.simulator.connectionId;
  const { reservationId } = world.ids;
  await done('updateReservation', { reservationId, externalRefs: [{ connectionId: simulated, externalId: 'known' }] });
  // One record of each kind has the name, and the one of the world gets it.
  const taken = [{ connectionId: open, externalId: 'known' }];
  const { devices } = world.simulator;
  await done('updateDevice', { deviceId: devices['sim-lock-2'], externalRefs: taken });
  await done('createTask', { name: 'Clean', externalRefs: taken });

  const cases = (code: string, input: (operation: Operation) => object, who = door): Case[] =>
    declaring(world, code).map((operation) => [operation.name, code, () => who.ask(operation.name, input(operation))]);
  /** A save by reference may also have references of other connections. */
  const refs = (externalRefs: object[]) => (operation: Operation) => ({
    ...naming(operation, world, other, 'besides'),
    externalRefs,
  });
  const unknown = [{ connectionId: absentId('connection'), externalId: '1' }];
  const saving =
    (version: object, connectionId = versioned) =>
    (operation: Operation) => ({
      ...naming(operation, world, connectionId, 'known'),
      ...version,
    });
  return [
    ...cases('CONNECTION_NOT_YOURS', (operation) => naming(operation, world, closed, 'known'), stranger),
    ...cases('EXTERNAL_REF_TAKEN', refs(taken)),
    ...cases('EXTERNAL_REF_UNKNOWN_CONNECTION', refs(unknown)),
    ...cases('CONNECTION_DISCONNECTED', (operation) => naming(operation, world, over, 'known')).filter(
      ([name]) => name !== 'restoreDevice',
    ),
    ...cases('CONNECTION_DOES_NOT_PUSH', (operation) => naming(operation, world, simulated, 'known')),
    ...cases('SOURCE_VERSION_FORM', saving({ sourceVersion: '2030-01-01T00:00:00Z' })),
    ...cases('SOURCE_VERSION_MISSING', saving({})),
    ...cases('SOURCE_VERSION_STALE', saving({ sourceVersion: 1 })),
    ...cases('BULK_ITEM_REFUSED', () => ({
      connectionId: open,
      atomic: true,
      items: [{ externalId: 'nothing', metadata: { a: 1 } }],
    })),
  ];
}
