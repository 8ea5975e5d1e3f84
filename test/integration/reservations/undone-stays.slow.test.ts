import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { keyWith, pushedBy } from '../../support/factories.js';
import { codeOf, dates, day, done, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { StayChanges } from '../../../src/features/reservations/stay-changes.service.js';

/** What happened to a stay or a block since a change decides whether that change can be undone. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const hotel = (plan: Record<string, string[]>): Promise<Hotel> => hotelOf(tenant.api, plan);
const read = async ({ id }: Json): Promise<Json> => (await tenant.api.get(`/reservations/${id}`)).body.data;
const undo = (requestId: string) => tenant.api.post('/changes/undo', { requestId });
const impossible = [409, 'NOT_UNDOABLE'];
const reasonsOf = ({ body }: Json): string[] => body.error.details.entries.map(({ reason }: Json) => reason);
const keep = (what: string): string =>
  `The guests are in house and keep their ${what}. If they never arrived, undo the check-in first.`;

describe.each(doorNames)('over %s, the undo of a booking', (door) => {
  const asked = (input: object) => tenant.doors[door].ask('undoChanges', input);
  const booked = async (here: Hotel): Promise<Json> => {
    const place = { propertyId: here.propertyId, unitTypeId: here.types.Single };
    const stay = { ...place, ...dates(0, 1), primaryGuest: { name: 'Ana Lima' } };
    return (await tenant.doors[door].ask('createReservation', stay)).body;
  };
  const entriesOf = async ({ meta }: Json): Promise<string[]> => {
    const { body } = await tenant.api.get(`/audit-entries?requestId=${meta.requestId}`);
    return body.data.map(({ id }: Json) => id);
  };

  it('leaves a stay that was cancelled since, and undoes the others', async () => {
    const here = await hotel({ Single: ['1', '2'] });
    const [first, second] = [await booked(here), await booked(here)];
    await done(here.act(first.data, 'cancel'));
    const auditEntryIds = [...(await entriesOf(first)), ...(await entriesOf(second))];
    const { status, body } = await asked({ auditEntryIds });
    expect(status).toBe(200);
    expect(body.data.notUndoable).toContainEqual(
      expect.objectContaining({
        target: { type: 'reservation', id: first.data.id },
        reason: 'The stay is left as it is: it has been cancelled since.',
      }),
    );
    expect((await read(second.data)).status).toBe('cancelled');
  });

  it('names only the stay where that prevents it, and not its guest', async () => {
    const here = await hotel({ Single: ['1'] });
    const { data, meta } = await booked(here);
    await done(here.act(data, 'assign-unit', { unitId: here.rooms['1'] }));
    await done(here.act(data, 'check-in'));
    const { status, body } = await asked({ requestId: meta.requestId });
    expect([status, body.error.details.entries.length]).toEqual([409, 1]);
    expect(body.error.details.entries[0].reason).not.toContain('guest');
  });
});

describe('a stay with guests in house stays confirmed, in its room and on its nights, so this cannot be undone:', () => {
  it('its confirmation', async () => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(0, 2, '1', { status: 'inquiry' });
    const confirmed = await done(tenant.api.patch(`/reservations/${stay.id}`, { status: 'confirmed' }));
    await done(here.act(stay, 'check-in'));
    expect(codeOf(await undo(confirmed))).toEqual(impossible);
  });

  it('its reinstatement', async () => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(0, 2, '1');
    await done(here.act(stay, 'cancel'));
    const reinstated = await done(here.act(stay, 'reinstate'));
    await done(here.act(stay, 'check-in'));
    expect(codeOf(await undo(reinstated))).toEqual(impossible);
  });

  it('the assignment of its room', async () => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(0, 2, 'Single');
    const assigned = await done(here.act(stay, 'assign-unit', { unitId: here.rooms['1'] }));
    await done(here.act(stay, 'check-in'));
    const refused = await undo(assigned);
    expect([codeOf(refused), reasonsOf(refused)]).toEqual([impossible, [keep('room')]]);
  });

  it('its move from later dates', async () => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(20, 22, '1');
    const moved = await done(here.act(stay, 'move', dates(0, 2)));
    await done(here.act(stay, 'check-in'));
    const refused = await undo(moved);
    expect([codeOf(refused), reasonsOf(refused)]).toEqual([impossible, [keep('nights')]]);
    expect(await read(stay)).toMatchObject({ stayStatus: 'checked_in', ...dates(0, 2) });
  });

  it.each([
    ['was cancelled', 'cancel', {}],
    ['lost its room', 'unassign-unit', {}],
    ['was moved to later dates', 'move', dates(20, 22)],
  ])('a check-in that was taken back before the stay %s', async (_, verb, input) => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(0, 2, '1');
    await done(here.act(stay, 'check-in'));
    const takenBack = await done(here.act(stay, 'undo-check-in'));
    await done(here.act(stay, verb, input));
    const refused = await undo(takenBack);
    expect([codeOf(refused), reasonsOf(refused)]).toEqual([impossible, [expect.not.stringContaining('in house')]]);
  });

  it('but a change of other fields can, also where guests were early', async () => {
    const here = await hotel({ Single: ['1'] });
    const stay = await here.stay(3, 5, '1');
    const noted = await done(tenant.api.patch(`/reservations/${stay.id}`, { notes: 'Late' }));
    const longer = await done(here.act(stay, 'move', dates(3, 6)));
    await done(here.act(stay, 'check-in', { early: true }));
    expect((await undo(noted)).status).toBe(200);
    expect((await undo(longer)).status).toBe(200);
    expect(await read(stay)).toMatchObject({ notes: null, stayStatus: 'checked_in', ...dates(3, 5) });
  });
});

it('a stay that is put back into a unit has the type that the unit has now', async () => {
  const here = await hotel({ Double: ['101', '102'], Single: ['1'], Suite: ['9'] });
  const retype = (room: string, type: string) =>
    done(
      tenant.api.patch(`/properties/${here.propertyId}/units/${here.rooms[room]}`, { unitTypeId: here.types[type] }),
    );
  const [full, free] = [await here.stay(1, 3, '101'), await here.stay(1, 3, '102')];
  const moves = [];
  for (const [stay, room] of [
    [full, '1'],
    [free, '9'],
  ] as const)
    moves.push(await done(here.act(stay, 'move', { unitId: here.rooms[room], ...dates(1, 3) })));
  await retype('101', 'Suite');
  await here.stay(1, 3, 'Suite');
  expect(codeOf(await undo(moves[0] as string))).toEqual(impossible);
  await retype('102', 'Single');
  expect((await undo(moves[1] as string)).status).toBe(200);
  expect(await read(free)).toMatchObject({ unitId: here.rooms['102'], unitTypeId: here.types.Single });
});

it('a room plan is not put back where its unit is archived', async () => {
  const here = await hotel({ Double: ['101'], Single: ['1', '2'] });
  const stay = await here.stay(0, 4, '101');
  await done(here.act(stay, 'check-in'));
  await done(here.act(stay, 'move', { unitId: here.rooms['1'], from: day(2) }));
  const planned = await done(here.act(stay, 'move', { unitId: here.rooms['101'], from: day(2) }));
  await done(tenant.api.post(`/properties/${here.propertyId}/units/${here.rooms['1']}/archive`));
  expect(codeOf(await undo(planned))).toEqual(impossible);
});

it('the room that a person gave to a stay of another system is not put back where it is taken', async () => {
  const here = await hotel({ Double: ['101', '102'] });
  const pushed = await pushedBy(tenant.api);
  const name = `/connections/${pushed}/reservations/R-${here.propertyId}`;
  const wanted = { propertyId: here.propertyId, unitTypeId: here.types.Double, ...dates(1, 3) };
  const { data } = (await tenant.api.send('PUT', name, wanted)).body;
  const assign = (room: string) => done(here.act(data, 'assign-unit', { unitId: here.rooms[room] }));
  await assign('101');
  const moved = await assign('102');
  await here.stay(1, 3, '101');
  expect(codeOf(await undo(moved))).toEqual(impossible);
  expect(await read(data)).toMatchObject({ unitId: here.rooms['102'], overlapping: false });
});

describe('a block that has ended is not changed by an undo', () => {
  it.each([
    ['earlier', 5, 1],
    ['later', 1, 5],
  ])('where it began %s', async (_, first, then) => {
    const here = await hotel({ Double: ['101'] });
    const blocks = `/properties/${here.propertyId}/unit-blocks`;
    const block = { unitId: here.rooms['101'], from: day(first), until: day(10), kind: 'out_of_order' };
    const { data } = (await tenant.api.post(blocks, block)).body;
    const changed = await done(tenant.api.patch(`${blocks}/${data.id}`, { from: day(then) }));
    await done(tenant.api.post(`${blocks}/${data.id}/end`));
    expect(codeOf(await undo(changed))).toEqual(impossible);
    expect((await here.book(1, 9, '101')).status).toBe(201);
  });
});

describe('the undo of a bulk save', () => {
  /** Saves stays of one night each, of a type or in a room. @returns the request, and the ids of the stays. */
  const saved = async ({ propertyId }: Hotel, place: object, count: number) => {
    const pushed = await pushedBy(tenant.api);
    const items = Array.from({ length: count }, (_, index) => ({
      externalId: `B-${index}`,
      propertyId,
      ...place,
      primaryGuest: { name: `Guest ${index}` },
      ...dates(index, index + 1),
    }));
    const { status, body } = await tenant.api.post(`/connections/${pushed}/reservations/bulk`, { items });
    expect(status).toBe(200);
    return { requestId: body.meta.requestId as string, ids: body.data.map(({ id }: Json) => id) as string[] };
  };
  const entriesOf = async (path: string): Promise<Json[]> => (await tenant.api.get(`/audit-entries?${path}`)).body.data;

  it('does not count the stays that it flagged', async () => {
    // As a first load is that comes before the rooms.
    const here = await hotel({ Double: [] });
    const { requestId } = await saved(here, { unitTypeId: here.types.Double }, 200);
    const { status, body } = await undo(requestId);
    expect([status, body.data.undone.length]).toEqual([200, 200]);
  }, 60_000);

  it('cancels the stays by statements for all of them, since bookings wait for it', async () => {
    const here = await hotel({ Single: ['1'] });
    const { requestId, ids } = await saved(here, { unitId: here.rooms['1'] }, 3);
    const together = jest.spyOn(StayChanges.prototype, 'changeAll');
    const { status, body } = await undo(requestId);
    expect([status, together.mock.calls.length]).toEqual([200, 1]);
    together.mockRestore();
    expect(body.data.undone.map(({ target }: Json) => target.id).toSorted()).toEqual(ids.toSorted());
    for (const { auditEntryId, target } of body.data.undone) {
      expect(await read(target)).toMatchObject({ status: 'cancelled', version: 2 });
      const [last, first] = await entriesOf(`targetId=${target.id}`);
      expect([last?.undoes, first?.id]).toEqual([auditEntryId, auditEntryId]);
    }
    expect((await here.stay(0, 3, '1')).status).toBe('confirmed');
  });

  it('says which stay has changed since, and leaves all as they are', async () => {
    const here = await hotel({ Single: ['1'] });
    const { requestId, ids } = await saved(here, { unitId: here.rooms['1'] }, 3);
    const [came, ...others] = ids as [string, string, string];
    await done(here.act({ id: came }, 'check-in'));
    const { status, body } = await undo(requestId);
    expect(status).toBe(409);
    const [entry] = await entriesOf(`targetId=${came}&action=saveReservationsInBulk`);
    const reasons = Object.fromEntries(body.error.details.entries.map((one: Json) => [one.auditEntryId, one.reason]));
    expect(reasons[entry?.id]).toContain('changed since');
    for (const id of others) expect(await read({ id })).toMatchObject({ status: 'confirmed', version: 1 });
  });

  it('needs the permission for stays, as one by one', async () => {
    const here = await hotel({ Single: ['1'] });
    const { ids } = await saved(here, { unitId: here.rooms['1'] }, 2);
    const entries = await Promise.all(ids.map((id) => entriesOf(`targetId=${id}`)));
    const auditEntryIds = entries.map(([entry]) => entry?.id);
    const { api } = await keyWith(tenant.api, { scopes: ['changes:undo', 'reservations:read'] });
    const { status, body } = await api.post('/changes/undo', { auditEntryIds });
    expect([status, body.error?.message]).toEqual([403, expect.stringContaining('permission reservations:write')]);
  });
});

it('an undo says that others have the room, also where other fields were changed since', async () => {
  const here = await hotel({ Double: ['101', '102'] });
  const stay = await here.stay(1, 3, '101');
  const assigned = await done(here.act(stay, 'assign-unit', { unitId: here.rooms['102'] }));
  const moved = await done(here.act(stay, 'move', dates(5, 7)));
  await here.stay(5, 7, '101');
  const reasonOf = async (requestId: string): Promise<string> =>
    (await undo(requestId)).body.error.details.entries[0].reason;
  expect(await reasonOf(assigned)).toMatch(/^Other stays have these nights/);
  await done(here.act(stay, 'move', dates(6, 9)));
  expect(await reasonOf(moved)).toMatch(
    /^The fields checkInDate, checkOutDate, arrivalAt, departureAt were changed since, by /,
  );
});

describe('a stay that no longer overlaps another one after a change', () => {
  /** Saves a stay of another system in a room, over a stay of our own. */
  const overlapping = async (here: Hotel) => {
    const path = `/connections/${await pushedBy(tenant.api)}/reservations/R-1`;
    const { propertyId, rooms } = here;
    const save = (room: string) =>
      done(tenant.api.send('PUT', path, { propertyId, unitId: rooms[room], ...dates(1, 3) }));
    const stay = await here.stay(1, 3, '101');
    await save('101');
    return { stay, save };
  };
  const reasonOf = async (requestId: string): Promise<string> =>
    (await undo(requestId)).body.error.details.entries[0].reason;
  const isTaken =
    'Other stays have these nights, or they are blocked. Move the other stays first, or choose another place.';

  it('is not put back, because the other stay is still there', async () => {
    const [mine, theirs] = [await hotel({ Double: ['101', '102'] }), await hotel({ Double: ['101', '102'] })];
    const { stay } = await overlapping(mine);
    const moved = await done(mine.act(stay, 'move', { unitId: mine.rooms['102'], ...dates(1, 3) }));
    expect(await reasonOf(moved)).toBe(isTaken);
    const { save } = await overlapping(theirs);
    expect(await reasonOf(await save('102'))).toBe(isTaken);
  });
});
