import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const plan = { Double: ['101', '102', '103'], Single: ['1'], '': ['annex'] };
const hotel = (rooms: Record<string, string[]> = plan): Promise<Hotel> => hotelOf(tenant.api, rooms);

/** How many more stays of a type are accepted. */
async function bookable(here: Hotel, from: number, until: number, type: string): Promise<number> {
  for (let stays = 0; ; stays += 1) if ((await here.book(from, until, type)).status !== 201) return stays;
}

describe.each(doorNames)('over %s', (door) => {
  const ask = (input: object) => tenant.doors[door].ask('getAvailability', input);
  const freeAt = async (here: Hotel, from: number, until: number): Promise<[Record<string, number>, boolean]> => {
    const { data } = (await ask({ propertyId: here.propertyId, from: day(from), until: day(until) })).body;
    return [Object.fromEntries(data.unitTypes.map(({ name, free }: Json) => [name, free])), data.wholeProperty];
  };

  it('stays with and without a unit, and blocks, leave as many of a type as can be booked', async () => {
    const here = await hotel();
    expect(await freeAt(here, 1, 4)).toEqual([{ Double: 3, Single: 1 }, true]);
    await here.stay(2, 3, 'Double');
    await here.stay(3, 6, '101');
    const block = { unitId: here.rooms['102'], from: day(3), until: day(4), kind: 'out_of_order' };
    expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
    expect(await freeAt(here, 1, 2)).toEqual([{ Double: 3, Single: 1 }, true]);
    expect(await freeAt(here, 1, 3)).toEqual([{ Double: 2, Single: 1 }, false]);
    expect(await freeAt(here, 1, 4)).toEqual([{ Double: 1, Single: 1 }, false]);
    expect(await bookable(here, 1, 4, 'Double')).toBe(1);
    expect(await freeAt(here, 3, 4)).toEqual([{ Double: 0, Single: 1 }, false]);
    expect(await freeAt(here, 4, 6)).toEqual([{ Double: 2, Single: 1 }, false]);
    expect(await bookable(here, 4, 6, 'Double')).toBe(2);
  });

  it('nothing is left beside a stay or a block of the whole property, or at an archived one', async () => {
    const here = await hotel();
    await here.stay(1, 2);
    expect(await freeAt(here, 1, 3)).toEqual([{ Double: 0, Single: 0 }, false]);
    const block = { from: day(4), until: day(5), kind: 'owner_use' };
    expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
    expect(await freeAt(here, 4, 5)).toEqual([{ Double: 0, Single: 0 }, false]);
    expect(await freeAt(here, 2, 4)).toEqual([{ Double: 3, Single: 1 }, true]);
    const closed = await hotel({ Double: ['101'] });
    expect((await tenant.api.post(`/properties/${closed.propertyId}/archive`)).status).toBe(200);
    expect(await freeAt(closed, 2, 4)).toEqual([{ Double: 0 }, false]);
  });

  it('a type with more stays than units has nothing left', async () => {
    const here = await hotel({ Double: ['101', '102'] });
    await here.stay(1, 2, '101');
    await here.stay(1, 2, '102');
    const block = { unitId: here.rooms['102'], from: day(1), until: day(2), kind: 'out_of_order', force: true };
    expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
    expect(await freeAt(here, 1, 2)).toEqual([{ Double: 0 }, false]);
  });

  it('a room is taken once, by guests in house or by its block', async () => {
    const here = await hotel({ Double: ['101', '102'] });
    const stay = await here.stay(0, 2, '101');
    expect((await here.act(stay, 'check-in')).status).toBe(200);
    const block = { unitId: here.rooms['101'], from: day(0), until: day(3), kind: 'out_of_order', force: true };
    expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
    expect(await freeAt(here, 0, 3)).toEqual([{ Double: 1 }, false]);
    expect(await bookable(here, 0, 3, 'Double')).toBe(1);
  });

  it('types are listed in their order, in pages, with the number of their units', async () => {
    const here = await hotel();
    const nights = { propertyId: here.propertyId, from: day(1), until: day(2), limit: 1 };
    const first = (await ask(nights)).body;
    expect(first.data).toEqual({
      propertyId: here.propertyId,
      from: day(1),
      until: day(2),
      wholeProperty: true,
      unitTypes: [{ unitTypeId: here.types.Double, name: 'Double', units: 3, free: 3 }],
    });
    const { data, meta } = (await ask({ ...nights, cursor: first.meta.pagination.nextCursor })).body;
    expect(data.unitTypes).toEqual([{ unitTypeId: here.types.Single, name: 'Single', units: 1, free: 1 }]);
    expect(meta.pagination.nextCursor).toBeNull();
  });

  it('at least one night, and at most as many as a stay has, can be asked for', async () => {
    const { propertyId } = await hotel({});
    const codeFor = async (until: number) => codeOf(await ask({ propertyId, from: day(1), until: day(until) }));
    expect(await codeFor(1)).toEqual([400, 'NO_NIGHT_ASKED']);
    expect(await codeFor(0)).toEqual([400, 'NO_NIGHT_ASKED']);
    expect(await codeFor(1_097)).toEqual([400, 'STAY_TOO_LONG']);
    expect(await codeFor(1_096)).toEqual([200, 'OK']);
  });
});
