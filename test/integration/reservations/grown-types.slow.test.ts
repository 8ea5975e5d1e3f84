import type { Json } from '../../support/api.js';
import { pushedBy } from '../../support/factories.js';
import { codeOf, dates, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { clock } from '../../support/clock.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Units that get another type, or are added, and what is counted of the stays in them. */
let tenant: Tenant;
let vendor: string;
beforeAll(async () => {
  tenant = await startTenant();
  vendor = await pushedBy(tenant.api);
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const read = async ({ id }: Json): Promise<Json> => (await tenant.api.get(`/reservations/${id}`)).body.data;
const isFlagged = async (stay: Json): Promise<boolean> => (await read(stay)).overlapping;

let made = 0;
/** A stay of another system, in a room or of a type. */
async function theirs(here: Hotel, name: string, from: number, until: number): Promise<Json> {
  const { propertyId, rooms, types } = here;
  const place = { propertyId, ...(rooms[name] ? { unitId: rooms[name] } : { unitTypeId: types[name] }) };
  const path = `/connections/${vendor}/reservations/S-${(made += 1)}`;
  const { status, body } = await tenant.api.send('PUT', path, { ...place, ...dates(from, until) });
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.data;
}
const unit = ({ propertyId, rooms }: Hotel, room: string): string => `/properties/${propertyId}/units/${rooms[room]}`;
const retype = async (here: Hotel, room: string, type: string): Promise<void> => {
  expect((await tenant.api.patch(unit(here, room), { unitTypeId: here.types[type] })).status).toBe(200);
};

describe('a stay of another system is no longer flagged where its type gets a unit', () => {
  const crowded = async () => {
    const here = await hotelOf(tenant.api, { Double: ['101'], Single: ['1'] });
    await theirs(here, 'Double', 1, 3);
    const stay = await theirs(here, 'Double', 2, 4);
    expect(await isFlagged(stay)).toBe(true);
    return { here, stay };
  };

  it('that is new', async () => {
    const { here, stay } = await crowded();
    const input = { name: '102', unitTypeId: here.types.Single };
    await tenant.api.post(`/properties/${here.propertyId}/units`, input);
    expect(await isFlagged(stay)).toBe(true);
    await tenant.api.post(`/properties/${here.propertyId}/units`, { ...input, unitTypeId: here.types.Double });
    expect(await isFlagged(stay)).toBe(false);
  });

  it('that had another type', async () => {
    const { here, stay } = await crowded();
    await retype(here, '1', 'Double');
    expect(await isFlagged(stay)).toBe(false);
  });

  it('that was archived', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    expect((await tenant.api.post(`${unit(here, '102')}/archive`)).status).toBe(200);
    await theirs(here, 'Double', 1, 3);
    const stay = await theirs(here, 'Double', 1, 3);
    expect(await isFlagged(stay)).toBe(true);
    expect((await tenant.api.post(`${unit(here, '102')}/restore`)).status).toBe(200);
    expect(await isFlagged(stay)).toBe(false);
  });
});

describe('a unit that gets another type takes its stays along', () => {
  const withTwoIn101 = async (plan: Record<string, string[]>) => {
    const here = await hotelOf(tenant.api, plan);
    const two = [await theirs(here, '101', 0, 3), await theirs(here, '101', 0, 3)];
    return { here, two };
  };

  it('so that the type that it had may have room', async () => {
    const { here } = await withTwoIn101({ Double: ['101', '102'], Single: ['1'] });
    const waiting = await theirs(here, 'Double', 0, 3);
    expect(await isFlagged(waiting)).toBe(true);
    await retype(here, '101', 'Single');
    expect(await isFlagged(waiting)).toBe(false);
  });

  it('so that the type that it gets may have too many', async () => {
    const { here } = await withTwoIn101({ Double: ['101', '102'], Single: ['1'] });
    const waiting = await theirs(here, 'Single', 0, 3);
    expect(await isFlagged(waiting)).toBe(false);
    await retype(here, '101', 'Single');
    expect(await isFlagged(waiting)).toBe(true);
  });

  it('and so does one that is archived and restored with its no-shows', async () => {
    const { here, two } = await withTwoIn101({ Double: ['101', '102'] });
    for (const { id } of two) expect((await tenant.api.post(`/reservations/${id}/no-show`)).status).toBe(200);
    const waiting = await theirs(here, 'Double', 0, 3);
    expect(await isFlagged(waiting)).toBe(true);
    expect((await tenant.api.post(`${unit(here, '101')}/archive`)).status).toBe(200);
    expect(await isFlagged(waiting)).toBe(false);
    expect((await tenant.api.post(`${unit(here, '101')}/restore`)).status).toBe(200);
    expect(await isFlagged(waiting)).toBe(true);
  });
});

it('a stay of another system is flagged where a block sends an upgraded stay back to its type', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'], Suite: ['9'] });
  const upgraded = await here.stay(1, 3, 'Double');
  expect((await here.act(upgraded, 'assign-unit', { unitId: here.rooms['9'], force: true })).status).toBe(200);
  const stay = await theirs(here, 'Double', 1, 3);
  expect(await isFlagged(stay)).toBe(false);
  const block = { unitId: here.rooms['9'], from: day(1), until: day(3), kind: 'out_of_order', force: true };
  expect((await tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block)).status).toBe(201);
  expect(await isFlagged(stay)).toBe(true);
});

it('the rooms of a stay that changed rooms have the types that they have now', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'], Single: ['1', '2'] });
  const stay = await here.stay(0, 6, '101');
  expect((await here.act(stay, 'check-in')).status).toBe(200);
  expect((await here.act(stay, 'move', { unitId: here.rooms['1'], from: day(2) })).status).toBe(200);
  await retype(here, '1', 'Double');
  const { segments } = await read(stay);
  expect(segments.map(({ unitTypeId }: Json) => unitTypeId)).toEqual([here.types.Double, here.types.Double]);
  for (const _ of [101, 102]) await here.stay(6, 8, 'Double');
  expect(codeOf(await here.act(stay, 'move', dates(0, 8)))).toEqual([409, 'UNIT_TYPE_FULL']);
});

it('overdue guests stay in a unit that gets another type', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'], Single: ['1'] });
  const stay = await here.stay(0, 1, '101');
  expect((await here.act(stay, 'check-in')).status).toBe(200);
  clock.set(`${day(1)}T13:00:00Z`);
  await retype(here, '101', 'Single');
  expect(await read(stay)).toMatchObject({ unitTypeId: here.types.Single });
  const longer = { checkInDate: stay.checkInDate, checkOutDate: day(2) };
  expect((await here.act(stay, 'move', longer)).status).toBe(200);
});

describe('nights are counted as fast, however many they are,', () => {
  const rooms = Array.from({ length: 12 }, (_, index) => `${101 + index}`);
  /** The database's work would be minutes, night by night. */
  const timed = async <T>(work: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const result = await work();
    expect(performance.now() - begun).toBeLessThan(2_500);
    return result;
  };
  const last = { checkInDate: '8998-01-01', checkOutDate: '8998-01-03' };

  it('for a block of thousands of years', async () => {
    const here = await hotelOf(tenant.api, { Double: rooms });
    const block = { unitId: here.rooms['101'], from: day(1), until: '8999-01-01', kind: 'out_of_order' };
    const made = await timed(() => tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, block));
    expect(made.status).toBe(201);
  });

  it('for stays that are thousands of years apart, and blocks', async () => {
    const here = await hotelOf(tenant.api, { Double: rooms });
    const blocks = `/properties/${here.propertyId}/unit-blocks`;
    const [first, second] = [here.rooms['101'], here.rooms['102']];
    expect((await tenant.api.post(blocks, { unitId: first, from: day(1), kind: 'out_of_order' })).status).toBe(201);
    const place = { propertyId: here.propertyId, unitTypeId: here.types.Double };
    const items = [dates(1, 3), last].map((nights, index) => ({ externalId: `${index}`, ...place, ...nights }));
    const path = `/connections/${vendor}/reservations/bulk`;
    expect((await timed(() => tenant.api.post(path, { items }))).status).toBe(200);
    const block = { unitId: second, from: day(1), kind: 'out_of_order' };
    expect((await timed(() => tenant.api.post(blocks, block))).status).toBe(201);
  });
});

it('at most 1,100 nights are listed that a type has no unit for', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  for (const [from, until] of [
    [1, 1_001],
    [1_001, 2_001],
  ] as const)
    await here.stay(from, until, 'Double');
  const { body } = await tenant.api.post(`${unit(here, '101')}/archive`);
  expect([body.error.code, body.error.details.nights.length]).toEqual(['UNIT_TYPE_FULL', 1_100]);
});

it('a stay that its system handed over is flagged in whichever room it gets, until its type has room for it', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  const ours = [await here.stay(1, 3, 'Double'), await here.stay(1, 3, 'Double')];
  const connection = await pushedBy(tenant.api);
  const place = { propertyId: here.propertyId, unitTypeId: here.types.Double };
  const name = `/connections/${connection}/reservations/S-1`;
  const stay = (await tenant.api.send('PUT', name, { ...place, ...dates(1, 3) })).body.data;
  await tenant.api.post(`/connections/${connection}/disconnect`, { stays: 'keep', force: true });
  expect(await isFlagged(stay)).toBe(true);
  expect((await here.act(stay, 'assign-unit', { unitId: here.rooms['101'] })).status).toBe(200);
  expect(await isFlagged(stay)).toBe(true);
  expect((await here.act(ours[0] as Json, 'cancel')).status).toBe(200);
  expect(await isFlagged(stay)).toBe(false);
});
