import type { Json } from '../../support/api.js';
import type { Door } from '../../support/doors.js';
import { day } from '../../support/hotel.js';

/** A vendor of one organization, with a property, a room type, two rooms and a connection. */
export async function vendorOf(door: Door, settings: object = {}) {
  const { body } = await door.ask('createConnection', { provider: 'push', kind: 'pms', name: 'Vendor', settings });
  const connectionId = body.data.id as string;
  const ask = (operation: string, externalId: string, content: object = {}) =>
    door.ask(operation, { connectionId, externalId, ...content });
  const made = async (...saving: Parameters<typeof ask>) => {
    const reply = await ask(...saving);
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
  };
  await made('savePropertyByRef', 'H1', { name: 'Hotel', timezone: 'UTC' });
  await made('saveUnitTypeByRef', 'DBL', { propertyRef: 'H1', name: 'Double' });
  for (const room of ['101', '102'])
    await made('saveUnitByRef', room, { propertyRef: 'H1', unitTypeRef: 'DBL', name: room });
  const stay = { propertyRef: 'H1', unitTypeRef: 'DBL', checkInDate: day(10), checkOutDate: day(12) };
  const save = (externalId: string, content: object) => ask('saveReservationByRef', externalId, content);
  return { connection: body.data as Json, connectionId, ask, save, stay };
}
