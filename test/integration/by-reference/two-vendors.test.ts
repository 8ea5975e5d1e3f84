import type { Api, Json, Reply } from '../../support/api.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith, pushedBy } from '../../support/factories.js';
import { codeOf, day } from '../../support/hotel.js';
import { simulatorOf } from '../../support/simulator.js';
import { type Service, startApp } from '../../support/start-app.js';
import { vendorOf } from './vendor.js';

let service: Service;
let admin: Api;
beforeAll(async () => {
  service = await startApp();
  admin = (await keyWith(service.api)).api;
});
afterAll(() => service.close());

const scopes = ['properties', 'reservations', 'guests'].flatMap((name) => [`${name}:read`, `${name}:write`]);

interface Vendor {
  connectionId: string;
  api: Api;
  save(path: string, content: object): Promise<Reply>;
  get(path: string): Promise<Reply>;
}

/** A system with its own key and connection, which sees only its own references. */
async function vendor(): Promise<Vendor> {
  const { id, api } = await keyWith(admin, { scopes: [...scopes, 'events:read'] });
  const connectionId = await pushedBy(admin, { credentialIds: [id] });
  const at = (path: string): string => `/connections/${connectionId}/${path}`;
  return { connectionId, api, save: (path, content) => api.put(at(path), content), get: (path) => api.get(at(path)) };
}

/** A hotel with a room of the first system, which the second knows under other names. */
async function twoAtOneHotel() {
  const [one, other] = [await vendor(), await vendor()];
  const hotel = (await one.save('properties/H1', { name: 'Hotel', timezone: 'UTC', metadata: { one: '1' } })).body.data;
  const room = (await one.save('units/101', { propertyRef: 'H1', name: '101' })).body.data;
  const name = (externalId: string) => ({ externalRefs: [{ connectionId: other.connectionId, externalId }] });
  expect((await other.api.patch(`/properties/${hotel.id}`, name('hotel'))).status).toBe(200);
  expect((await other.api.patch(`/properties/${hotel.id}/units/${room.id}`, name('room'))).status).toBe(200);
  return { one, other, hotel, room };
}

const refsOf = async ({ api }: Vendor, path: string): Promise<Json> => (await api.get(path)).body.data.externalRefs;
const stay = { checkInDate: day(10), checkOutDate: day(12) };

it('neither sees, takes nor removes the names of the other, and each keeps its own metadata', async () => {
  const { one, other, hotel } = await twoAtOneHotel();
  const path = `/properties/${hotel.id}`;
  expect(await refsOf(one, path)).toEqual([{ connectionId: one.connectionId, externalId: 'H1' }]);
  expect(await refsOf(other, path)).toEqual([{ connectionId: other.connectionId, externalId: 'hotel' }]);

  expect((await other.save('properties/hotel', { metadata: { other: '2' } })).status).toBe(200);
  expect((await one.save('properties/H1', { metadata: { one: '3' } })).body.data.metadata).toEqual({
    one: '3',
    other: '2',
  });
  for (const externalId of [null, 'mine'])
    expect(
      codeOf(await other.api.patch(path, { externalRefs: [{ connectionId: one.connectionId, externalId }] })),
    ).toEqual([403, 'CONNECTION_NOT_YOURS']);
  const theirs = `/connections/${one.connectionId}/properties/H1`;
  expect((await other.api.put(theirs, { name: 'Mine' })).status).toBe(403);
  expect((await other.api.get(theirs)).status).toBe(403);
  expect((await one.get('properties/H1')).body.data).toMatchObject({ id: hotel.id, name: 'Hotel' });
  // The same text is a different name for each of them.
  expect((await other.save('properties/H1', { name: 'Another', timezone: 'UTC' })).status).toBe(201);
});

it('keeps a stay that both push as two stays, and flags the overlap', async () => {
  const { one, other } = await twoAtOneHotel();
  const [first, second] = [
    await one.save('reservations/S', { ...stay, propertyRef: 'H1', unitRef: '101' }),
    await other.save('reservations/S', { ...stay, propertyRef: 'hotel', unitRef: 'room' }),
  ];
  expect([first.status, second.status, second.body.data.overlapping]).toEqual([201, 201, true]);
  expect(first.body.data.id).not.toBe(second.body.data.id);
  // The stay that both know belongs to the system that booked it.
  const name = { externalRefs: [{ connectionId: other.connectionId, externalId: 'known' }] };
  expect((await other.api.patch(`/reservations/${first.body.data.id}`, name)).status).toBe(200);
  expect(codeOf(await other.save('reservations/known', { checkOutDate: day(14) }))).toEqual([409, 'PROVIDER_OWNED']);
  expect((await one.get('reservations/S')).body.data).toMatchObject({ id: first.body.data.id, ...stay });
  expect((await one.save('reservations/S', { status: 'cancelled' })).status).toBe(200);
  expect((await other.get('reservations/S')).body.data).toMatchObject({ status: 'confirmed', overlapping: false });
});

it('creates one record from simultaneous saves of one name, single and in bulk', async () => {
  const { one } = await twoAtOneHotel();
  const content = { ...stay, propertyRef: 'H1', sourceVersion: 1 };
  const alone = Array.from({ length: 6 }, () => one.save('reservations/P', content));
  const items = [{ externalId: 'P', ...content }];
  const inBulk = Array.from({ length: 3 }, () =>
    one.api.post(`/connections/${one.connectionId}/reservations/bulk`, { items }),
  );
  const [single, bulk] = [await Promise.all(alone), await Promise.all(inBulk)];
  const ids = [...single.map(({ body }) => body.data.id), ...bulk.map(({ body }) => body.data[0].id)];
  expect(new Set(ids).size).toBe(1);
  const outcomes = [
    ...single.map(({ body }) => body.meta.outcome),
    ...bulk.map(({ body }) => body.data[0].outcome),
  ].sort();
  expect(outcomes).toEqual(['created', ...Array.from({ length: 8 }, () => 'unchanged')]);
});

describe.each(doorNames)('at one property, over %s', (name) => {
  let door: Door;
  beforeAll(async () => {
    door = doors(service)[name].as((await keyWith(service.api)).key);
  });

  it('each writes its own stays', async () => {
    const mine = await vendorOf(door);
    const theirs = await vendorOf(door);
    const stay = (await mine.save('A', { ...mine.stay, unitRef: '101', metadata: { mine: '1' } })).body.data;
    expect((await theirs.ask('getReservationByRef', 'A')).status).toBe(404);
    expect(codeOf(await theirs.save('B', { ...theirs.stay, unitRef: 'none' }))[0]).toBe(404);
    // A second name, of the other vendor, does not transfer the stay.
    const ref = { connectionId: theirs.connectionId, externalId: 'A' };
    const both = await door.ask('updateReservation', { reservationId: stay.id, externalRefs: [ref] });
    expect(both.body.data.externalRefs).toHaveLength(2);
    expect(codeOf(await theirs.save('A', { checkOutDate: day(13) }))).toEqual([409, 'PROVIDER_OWNED']);
    // The hotel of one vendor has a name at the other one too, and there are keys of both.
    const propertyId = (await mine.ask('getPropertyByRef', 'H1')).body.data.id as string;
    const house = { connectionId: theirs.connectionId, externalId: 'H9' };
    await door.ask('updateProperty', { propertyId, externalRefs: [house], metadata: { mine: '1' } });
    const { data } = (await theirs.ask('savePropertyByRef', 'H9', { metadata: { theirs: '2' } })).body;
    expect(data).toMatchObject({ id: propertyId, metadata: { mine: '1', theirs: '2' } });
    expect(data.externalRefs).toHaveLength(2);

    const only = await pushedBy(service.api, { propertyId });
    const elsewhere = (await theirs.ask('getPropertyByRef', 'H1')).body.data.id as string;
    const saved = async (externalId: string, at: string) => {
      const dates = { checkInDate: day(10), checkOutDate: day(12) };
      const input = { connectionId: only, externalId, propertyId: at, ...dates };
      return (await door.ask('saveReservationByRef', input)).status;
    };
    expect([await saved('P', propertyId), await saved('Q', elsewhere)]).toEqual([201, 400]);

    const { connectionId } = await simulatorOf(service.api);
    const property = { connectionId, externalId: 'H1', name: 'Hotel', timezone: 'UTC' };
    expect(codeOf(await door.ask('savePropertyByRef', property))[1]).toBe('CONNECTION_DOES_NOT_PUSH');
    const foreign = await pushedBy(service.api, { credentialIds: ['key_0198c0de5eed7a11b0a7c0ffee123456'] });
    const externalRefs = [{ connectionId: foreign, externalId: '1' }];
    const named = [
      await door.ask('updateProperty', { propertyId, externalRefs }),
      await door.ask('createTask', { name: 'Clean', externalRefs }),
    ];
    expect(named.map(codeOf)).toEqual(Array(2).fill([403, 'CONNECTION_NOT_YOURS']));
  });
});
