import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, done, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** Nobody comes back to a place that was archived, and no place is archived in which guests are. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const double = { Double: ['101', '102'] };
const archive = ({ propertyId, rooms }: Hotel, room?: string) =>
  tenant.api.post(`/properties/${propertyId}${room ? `/units/${rooms[room]}` : ''}/archive`);
const archived = async (here: Hotel, room?: string): Promise<void> => {
  expect((await archive(here, room)).status).toBe(200);
};
const undo = (requestId: string) => tenant.api.post('/changes/undo', { requestId });

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, { id }: Json) => tenant.doors[door].ask(operation, { reservationId: id });

  it('a no-show cannot be undone in an archived unit or type, or at an archived property', async () => {
    const here = await hotelOf(tenant.api, { ...double, Single: ['1'] });
    const [one, other] = [await here.stay(0, 2, '101'), await here.stay(0, 2, 'Single')];
    const marked = await done(here.act(one, 'no-show'));
    await done(here.act(other, 'no-show', { release: true }));
    await archived(here, '101');
    expect(codeOf(await ask('undoNoShow', one))).toEqual([409, 'UNIT_ARCHIVED']);
    expect(codeOf(await undo(marked))).toEqual([409, 'NOT_UNDOABLE']);
    await archived(here, '1');
    await done(tenant.api.post(`/properties/${here.propertyId}/unit-types/${here.types.Single}/archive`));
    expect(codeOf(await ask('undoNoShow', other))).toEqual([409, 'UNIT_TYPE_ARCHIVED']);
    await archived(here);
    expect(codeOf(await ask('undoNoShow', one))).toEqual([409, 'PROPERTY_ARCHIVED']);
  });

  it('a check-out cannot be undone there, nor where a later room is archived', async () => {
    const here = await hotelOf(tenant.api, double);
    const stay = await here.stay(0, 4, '101');
    await done(here.act(stay, 'check-in'));
    await done(here.act(stay, 'move', { unitId: here.rooms['102'], from: day(2) }));
    await done(here.act(stay, 'check-out'));
    await archived(here, '102');
    expect(codeOf(await ask('undoCheckOut', stay))).toEqual([409, 'UNIT_ARCHIVED']);
    await done(tenant.api.post(`/properties/${here.propertyId}/units/${here.rooms['102']}/restore`));
    await archived(here, '101');
    expect(codeOf(await ask('undoCheckOut', stay))).toEqual([409, 'UNIT_ARCHIVED']);
    await archived(here);
    expect(codeOf(await ask('undoCheckOut', stay))).toEqual([409, 'PROPERTY_ARCHIVED']);
  });

  it('a stay does not go back to an archived type, so a block cannot take its unit', async () => {
    const here = await hotelOf(tenant.api, { Double: ['101'], Suite: ['9'] });
    const stay = await here.stay(5, 8, 'Double');
    await done(here.act(stay, 'assign-unit', { unitId: here.rooms['9'], force: true }));
    await archived(here, '101');
    await done(tenant.api.post(`/properties/${here.propertyId}/unit-types/${here.types.Double}/archive`));
    expect(codeOf(await ask('unassignUnit', stay))).toEqual([409, 'UNIT_TYPE_ARCHIVED']);
    const block = { propertyId: here.propertyId, unitId: here.rooms['9'], from: day(5), kind: 'out_of_order' };
    const asked = await tenant.doors[door].ask('createUnitBlock', block);
    expect([...codeOf(asked), asked.body.error.details.explanation.options]).toEqual([409, 'RESERVATION_OVERLAP', []]);
    const forced = await tenant.doors[door].ask('createUnitBlock', { ...block, force: true });
    expect(codeOf(forced)).toEqual([409, 'UNIT_TYPE_ARCHIVED']);
    const before = await tenant.doors[door].ask('createUnitBlock', { ...block, from: day(1), until: day(2) });
    const { propertyId, id: blockId } = before.body.data;
    const extended = { propertyId, blockId, until: day(6), force: true };
    expect(codeOf(await tenant.doors[door].ask('updateUnitBlock', extended))).toEqual([409, 'UNIT_TYPE_ARCHIVED']);
  });

  it('a stay of which nobody came keeps its unit at an archived property', async () => {
    const here = await hotelOf(tenant.api, double);
    const stay = await here.stay(-3, -1, '101');
    await archived(here);
    expect(codeOf(await ask('unassignUnit', stay))).toEqual([409, 'PROPERTY_ARCHIVED']);
  });
});

it('overdue guests keep their unit and its property from being archived', async () => {
  const here = await hotelOf(tenant.api, double);
  const stay = await here.stay(0, 1, '101');
  await done(here.act(stay, 'check-in'));
  clock.set(`${day(1)}T20:00:00Z`);
  expect(codeOf(await archive(here, '101'))).toEqual([409, 'UNIT_IN_USE']);
  const refused = await archive(here);
  expect([...codeOf(refused), refused.body.error.details.reservationIds]).toEqual([409, 'PROPERTY_IN_USE', [stay.id]]);
  await done(here.act(stay, 'check-out'));
  await archived(here, '101');
  await archived(here);
});
