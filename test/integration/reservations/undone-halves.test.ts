import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { performDue } from '../../support/jobs.js';
import { codeOf, dates, day, done, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { RoomChanges } from '../../../src/features/reservations/sweeps/room-changes.service.js';

/** Fields of a stay that belong together, of which later changes have changed some: an undo restores all of them or none. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const hotel = (): Promise<Hotel> => hotelOf(tenant.api, { Double: ['101', '102', '103'] });
const read = async ({ id }: Json): Promise<Json> => (await tenant.api.get(`/reservations/${id}`)).body.data;
const undo = (requestId: string) => tenant.api.post('/changes/undo', { requestId });
const impossible = [409, 'NOT_UNDOABLE'];

describe.each(doorNames)('over %s, a no-show whose nights were released since', (door) => {
  it('is not undone without its nights', async () => {
    const here = await hotel();
    const stay = await here.stay(0, 2, '101');
    const ask = async (name: string, input: object) => (await tenant.doors[door].ask(name, input)).body;
    const marked = await ask('markNoShow', { reservationId: stay.id });
    const released = await ask('markNoShow', { reservationId: stay.id, release: true });
    const { error } = await ask('undoChanges', { requestId: marked.meta.requestId });
    expect(error).toMatchObject({
      code: 'NOT_UNDOABLE',
      details: { entries: [{ reason: expect.stringContaining('nights of this no-show were released since') }] },
    });
    expect(await read(stay)).toMatchObject({ stayStatus: 'no_show', segments: [] });
    await ask('undoChanges', { requestId: released.meta.requestId });
    expect(await ask('undoChanges', { requestId: marked.meta.requestId })).toMatchObject({ data: {} });
    expect(await read(stay)).toMatchObject({ stayStatus: 'not_arrived', ...nights(0, 2) });
  });
});

const nights = (from: number, until: number) => ({ occupiedFrom: day(from), occupiedUntil: day(until) });

it('a no-show is not undone by its first request after a second one released the nights', async () => {
  const here = await hotel();
  const stay = await here.stay(0, 2, '101');
  const first = await done(here.act(stay, 'no-show'));
  await done(here.act(stay, 'undo-no-show'));
  await done(here.act(stay, 'no-show', { release: true }));
  expect(codeOf(await undo(first))).toEqual(impossible);
  await done(here.act(stay, 'cancel'));
  expect(codeOf(await undo(first))).toEqual(impossible);
});

it('a departure does not come back once the guests have arrived again after it', async () => {
  const here = await hotel();
  const stay = await here.stay(0, 3, '101', { arrivalAt: at(0, 15) });
  await done(here.act(stay, 'check-in'));
  await done(here.act(stay, 'check-out'));
  const back = await done(here.act(stay, 'undo-check-out'));
  await done(here.act(stay, 'undo-check-in'));
  clock.set('2030-07-01T10:00:00Z');
  await done(here.act(stay, 'check-in'));
  expect(codeOf(await undo(back))).toEqual(impossible);
  expect(await read(stay)).toMatchObject({ stayStatus: 'checked_in' });
});

it('later dates do not come back once the guests have departed before them', async () => {
  const here = await hotel();
  const stay = await here.stay(0, 2, '101');
  const earlier = await done(here.act(stay, 'move', dates(-1, 2)));
  await done(here.act(stay, 'check-in'));
  await done(here.act(stay, 'check-out', { departedAt: `${day(-1)}T20:00:00.000Z` }));
  expect(codeOf(await undo(earlier))).toEqual(impossible);
  expect(await read(stay)).toMatchObject({ ...dates(-1, 2), ...nights(-1, -1) });
});

it('an arrival does not come back after the departure that the stay has by now', async () => {
  const here = await hotel();
  const stay = await here.stay(5, 8, '101');
  const earlier = await done(here.act(stay, 'move', dates(1, 8)));
  await done(here.act(stay, 'move', dates(1, 3)));
  expect(codeOf(await undo(earlier))).toEqual(impossible);
  const dayUse = await here.stay(1, 1, '102', { arrivalAt: at(1, 10), departureAt: at(1, 12) });
  const patch = (input: object) => done(tenant.api.patch(`/reservations/${dayUse.id}`, input));
  const sooner = await patch({ arrivalAt: at(1, 7) });
  await patch({ departureAt: at(1, 9) });
  expect(codeOf(await undo(sooner))).toEqual(impossible);
});

it('an earlier arrival does not come back if the stay is too long with it', async () => {
  const here = await hotel();
  const other = await here.stay(1, 1001, '102');
  const moved = await done(here.act(other, 'move', dates(900, 1001)));
  await done(here.act(other, 'move', dates(900, 1500)));
  expect(codeOf(await undo(moved))).toEqual(impossible);
});

const at = (offset: number, hour: number): string => `${day(offset)}T${String(hour).padStart(2, '0')}:00:00.000Z`;

describe('guests who are to change rooms keep rooms that fit each other:', () => {
  const inHouse = async (here: Hotel, until = 5): Promise<Json> => {
    const stay = await here.stay(0, until, '101');
    await done(here.act(stay, 'check-in'));
    return stay;
  };
  const move = (here: Hotel, stay: Json, room: string, from: number) =>
    done(here.act(stay, 'move', { unitId: here.rooms[room], from: day(from) }));

  it('an earlier departure does not come back before the change', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    const longer = await done(here.act(stay, 'move', dates(0, 8)));
    await move(here, stay, '102', 6);
    expect(codeOf(await undo(longer))).toEqual(impossible);
  });

  it('the first room is not replaced without them', async () => {
    const here = await hotel();
    const stay = await here.stay(0, 5, '101');
    const other = await done(here.act(stay, 'assign-unit', { unitId: here.rooms['103'] }));
    await done(here.act(stay, 'check-in'));
    await move(here, stay, '102', 2);
    expect(codeOf(await undo(other))).toEqual(impossible);
    expect(await read(stay)).toMatchObject({ unitId: here.rooms['103'] });
  });

  it('a room that was planned does not come back once they are in another one', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    await move(here, stay, '102', 2);
    const replaced = await move(here, stay, '103', 2);
    clock.set('2030-07-03T08:00:00Z');
    await performDue(tenant.service.app.get(RoomChanges));
    expect(codeOf(await undo(replaced))).toEqual(impossible);
    expect(await read(stay)).toMatchObject({ unitId: here.rooms['103'] });
  });

  it('a change back to their first room is not undone once they are there again', async () => {
    const here = await hotel();
    const stay = await inHouse(here, 6);
    await move(here, stay, '102', 2);
    const back = await move(here, stay, '101', 4);
    for (const morning of ['2030-07-03T08:00:00Z', '2030-07-05T08:00:00Z']) {
      clock.set(morning);
      await performDue(tenant.service.app.get(RoomChanges));
    }
    expect(await read(stay)).toMatchObject({ unitId: here.rooms['101'] });
    expect(codeOf(await undo(back))).toEqual(impossible);
  });

  it('and the undo of the last change leaves the earlier ones', async () => {
    const here = await hotel();
    const stay = await inHouse(here);
    await move(here, stay, '102', 2);
    const last = await move(here, stay, '103', 4);
    expect((await undo(last)).status).toBe(200);
    expect((await read(stay)).segments).toMatchObject([
      { unitId: here.rooms['101'], until: day(2) },
      { unitId: here.rooms['102'], from: day(2), until: day(5) },
    ]);
  });
});
