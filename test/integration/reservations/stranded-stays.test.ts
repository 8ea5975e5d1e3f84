import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { pushedBy } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Stays that lose their unit to a block, and of which their type has one too many then. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const isFlagged = async ({ id }: Json): Promise<boolean> =>
  (await tenant.api.get(`/reservations/${id}`)).body.data.overlapping;
const flagsOf = (stays: Json[]): Promise<boolean[]> => Promise.all(stays.map(isFlagged));

describe.each(doorNames)('over %s', (door) => {
  const blockRoom = async ({ propertyId, rooms }: Hotel, room: string): Promise<Json> => {
    const nights = { unitId: rooms[room], from: day(0), until: day(9), kind: 'out_of_order', force: true };
    const { status, body } = await tenant.doors[door].ask('createUnitBlock', { propertyId, ...nights });
    expect(status).toBe(201);
    return body.data;
  };

  it('a stay without a room is flagged until the block ends', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102', '103'] });
    const stays = [await here.stay(2, 4, '101'), await here.stay(5, 6, '101')];
    const others = [await here.stay(1, 3, '102'), await here.stay(2, 4, '103')];
    const { id: blockId } = await blockRoom(here, '101');
    expect(await flagsOf([...stays, ...others])).toEqual([true, false, false, false]);
    await tenant.doors[door].ask('endUnitBlock', { propertyId: here.propertyId, blockId });
    expect(await flagsOf([...stays, ...others])).toEqual([false, false, false, false]);
  });

  it('stays of another system and guests in house keep a blocked room, with a warning', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const guests = await here.stay(0, 2, '101');
    await here.act(guests, 'check-in');
    const leaving = await here.stay(0, 3, '102');
    await here.act(leaving, 'check-in');
    await here.act(leaving, 'move', { unitId: here.rooms['101'], from: day(2) });
    const pushed = await pushedBy(tenant.api);
    const save = async (name: string, room: string, from: number, until: number): Promise<Json> => {
      const place = { propertyId: here.propertyId, unitId: here.rooms[room] };
      const stay = { ...place, checkInDate: day(from), checkOutDate: day(until) };
      return (await tenant.api.send('PUT', `/connections/${pushed}/reservations/${name}`, stay)).body.data;
    };
    const theirs = [await save('R-1', '101', 3, 5), await save('R-2', '101', 6, 6), await save('R-3', '102', 3, 5)];
    const later = await save('R-4', '101', 9, 10);
    const { id: blockId } = await blockRoom(here, '101');
    const stays = [guests, leaving, ...theirs, later];
    const warningsOf = async () =>
      (await Promise.all(stays.map(async ({ id }) => (await tenant.api.get(`/reservations/${id}`)).body.data))).map(
        ({ unitId, warnings }) => [unitId, ...warnings],
      );
    const [first, second] = [here.rooms['101'], here.rooms['102']];
    expect(await warningsOf()).toEqual([
      [first, 'unit_blocked'],
      [second, 'unit_blocked'],
      [first, 'unit_blocked'],
      [first, 'unit_blocked'],
      [second],
      [first],
    ]);
    await tenant.doors[door].ask('endUnitBlock', { propertyId: here.propertyId, blockId });
    expect((await warningsOf()).flat()).not.toContain('unit_blocked');
  });

  it('a block of the whole property warns of stays that keep their rooms, also of a day use on its first day', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const pushed = await pushedBy(tenant.api);
    const save = async (name: string, room: string, until: number): Promise<Json> => {
      const place = { propertyId: here.propertyId, unitId: here.rooms[room] };
      const stay = { ...place, checkInDate: day(3), checkOutDate: day(until) };
      return (await tenant.api.put(`/connections/${pushed}/reservations/${name}`, stay)).body.data;
    };
    const stays = [await save('D-1', '101', 3), await save('N-1', '102', 5)];
    const whole = { from: day(3), until: day(4), kind: 'owner_use', force: true };
    const { status } = await tenant.doors[door].ask('createUnitBlock', { propertyId: here.propertyId, ...whole });
    expect(status).toBe(201);
    const shown = stays.map(async ({ id }) => (await tenant.api.get(`/reservations/${id}`)).body.data.warnings);
    expect(await Promise.all(shown)).toEqual([['unit_blocked'], ['unit_blocked']]);
  });

  it('stays that wait for a room are flagged while a block leaves too few for them', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'], Suite: ['9'] });
    const waiting = [await here.stay(1, 3, 'Double'), await here.stay(2, 4, 'Double')];
    const others = [await here.stay(4, 6, 'Double'), await here.stay(1, 3, 'Suite')];
    const { id: blockId } = await blockRoom(here, '101');
    expect(await flagsOf([...waiting, ...others])).toEqual([true, true, false, false]);
    await tenant.doors[door].ask('endUnitBlock', { propertyId: here.propertyId, blockId });
    expect(await flagsOf([...waiting, ...others])).toEqual([false, false, false, false]);
  });

  it('stays that wait for a room are flagged while the whole property is blocked', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const waiting = [await here.stay(1, 3, 'Double'), await here.stay(4, 5, 'Double')];
    const whole = { from: day(2), until: day(4), kind: 'owner_use', force: true };
    const { body } = await tenant.doors[door].ask('createUnitBlock', { propertyId: here.propertyId, ...whole });
    expect(await flagsOf(waiting)).toEqual([true, false]);
    await tenant.doors[door].ask('endUnitBlock', { propertyId: here.propertyId, blockId: body.data.id });
    expect(await flagsOf(waiting)).toEqual([false, false]);
  });

  it('a stay that waits is flagged until a room is free for it, also when the one that lost its room has got another', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102', '103'] });
    const lost = await here.stay(1, 3, '101');
    const waiting = [await here.stay(1, 3, 'Double'), await here.stay(1, 3, 'Double')];
    await blockRoom(here, '101');
    expect(await flagsOf([lost, ...waiting])).toEqual([true, true, true]);
    const assign = (stay: Json, room: string) =>
      tenant.doors[door].ask('assignUnit', { reservationId: stay.id, unitId: here.rooms[room] });
    await assign(lost, '102');
    expect(await flagsOf([lost, ...waiting])).toEqual([false, true, true]);
    await assign(waiting[0] as Json, '103');
    expect(await flagsOf([lost, ...waiting])).toEqual([false, false, true]);
    await here.act(lost, 'cancel');
    expect(await isFlagged(waiting[1] as Json)).toBe(false);
  });

  it('a day use that waits for a room is flagged while no room is left for its hours', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101'] });
    const hours = { arrivalAt: `${day(2)}T09:00:00Z`, departureAt: `${day(2)}T11:00:00Z` };
    const dayUse = await here.stay(2, 2, 'Double', hours);
    const { id: blockId } = await blockRoom(here, '101');
    expect(await isFlagged(dayUse)).toBe(true);
    await tenant.doors[door].ask('endUnitBlock', { propertyId: here.propertyId, blockId });
    expect(await isFlagged(dayUse)).toBe(false);
  });

  it('a stay without a room is flagged until another one leaves, and gets its room', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const [stay, other] = [await here.stay(2, 4, '101'), await here.stay(1, 3, '102')];
    await blockRoom(here, '101');
    expect(await flagsOf([stay, other])).toEqual([true, false]);
    await here.act(other, 'cancel');
    expect(await isFlagged(stay)).toBe(false);
    const unitId = here.rooms['102'];
    const assigned = await tenant.doors[door].ask('assignUnit', { reservationId: stay.id, unitId });
    expect(assigned.body.data).toMatchObject({ unitId, overlapping: false });
  });

  it('a stay without a room is flagged while one of its nights is one too many, however it is moved, and its move is undone', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102', '103'] });
    const [stay] = [await here.stay(2, 5, '101'), await here.stay(2, 5, '102'), await here.stay(2, 5, '103')];
    const nights = { unitId: here.rooms['101'], from: day(3), until: day(4), kind: 'out_of_order', force: true };
    await tenant.doors[door].ask('createUnitBlock', { propertyId: here.propertyId, ...nights });
    const move = async (from: number, until: number) => {
      const dates = { checkInDate: day(from), checkOutDate: day(until) };
      const { body } = await tenant.doors[door].ask('moveReservation', { reservationId: stay.id, ...dates });
      return [body.data.overlapping, body.meta.requestId];
    };
    const [isLonger, requestId] = await move(2, 6);
    expect(isLonger).toBe(true);
    expect((await tenant.doors[door].ask('undoChanges', { requestId })).status).toBe(200);
    expect(await isFlagged(stay)).toBe(true);
    expect([(await move(4, 6))[0], (await move(5, 6))[0]]).toEqual([false, false]);
  });

  it('a stay that gets a room is without one again, and flagged, when that is undone', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const [stay, other] = [await here.stay(2, 4, '101'), await here.stay(1, 3, 'Double')];
    await blockRoom(here, '101');
    const unitId = here.rooms['102'];
    const { body } = await tenant.doors[door].ask('assignUnit', { reservationId: stay.id, unitId });
    // The other one, which waits, has no room then.
    expect(await flagsOf([stay, other])).toEqual([false, true]);
    await tenant.doors[door].ask('undoChanges', { requestId: body.meta.requestId });
    expect(await flagsOf([stay, other])).toEqual([true, true]);
  });
});

it('the undo of a block whose stays have other rooms by now says so by the fields of the API', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  const stay = await here.stay(2, 4, '101');
  const nights = { unitId: here.rooms['101'], from: day(2), until: day(4), kind: 'out_of_order', force: true };
  const block = await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, nights);
  await here.act(stay, 'assign-unit', { unitId: here.rooms['102'] });
  const { body } = await tenant.api.post('/changes/undo', { requestId: block.body.meta.requestId });
  const reasons = body.error.details.entries.map(({ reason }: Json) => reason);
  expect(reasons).toEqual([expect.stringMatching(/^The field unitId was changed since, by /)]);
});

it('an upgraded stay that a block sends back to a full type is flagged', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'], Suite: ['9'] });
  const upgraded = await here.stay(1, 3, 'Double');
  await here.act(upgraded, 'assign-unit', { unitId: here.rooms['9'], force: true });
  const other = await here.stay(1, 3, '101');
  const block = { unitId: here.rooms['9'], from: day(1), until: day(3), kind: 'out_of_order', force: true };
  expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
  expect(await flagsOf([upgraded, other])).toEqual([true, false]);
});
