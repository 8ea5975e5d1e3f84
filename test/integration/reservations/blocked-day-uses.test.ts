import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** A block of a night takes the hours of its day too; on the day on which the unit is back, they are free. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T06:00:00Z'));
afterEach(() => clock.restore());

const hours = (on: number, from = '09:00', until = '12:00') => ({
  arrivalAt: `${day(on)}T${from}:00Z`,
  departureAt: `${day(on)}T${until}:00Z`,
});
const blockOf = ({ propertyId, rooms }: Hotel, more: object = {}) => {
  const nights = { from: day(0), until: day(2), kind: 'out_of_order' };
  return { propertyId, unitId: rooms['101'], ...nights, ...more };
};
const shown = async ({ id }: Json): Promise<Json> => {
  const { unitId, overlapping } = (await tenant.api.get(`/reservations/${id}`)).body.data;
  return { unitId, overlapping };
};

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object) => tenant.doors[door].ask(operation, input);
  const opened = (...names: string[]) => hotelOf(tenant.api, { Double: names });

  it('day uses are not given a blocked unit', async () => {
    const here = await opened('101', '102');
    const [elsewhere, waiting] = [await here.stay(1, 1, '102', hours(1)), await here.stay(1, 1, 'Double', hours(1))];
    await ask('createUnitBlock', blockOf(here));
    const unitId = here.rooms['101'];
    const dates = { checkInDate: day(1), checkOutDate: day(1), ...hours(1) };
    const refused = [
      await ask('createReservation', { propertyId: here.propertyId, unitId, ...dates }),
      await ask('assignUnit', { reservationId: waiting.id, unitId }),
      await ask('moveReservation', { reservationId: elsewhere.id, unitId, checkInDate: day(1), checkOutDate: day(1) }),
    ];
    expect(refused.map(codeOf)).toEqual(Array(3).fill([409, 'UNIT_BLOCKED']));
    expect((await here.book(2, 2, '101', hours(2))).status).toBe(201);
  });

  it('a block over a day use needs force, takes its unit, and flags it where no other unit is free', async () => {
    const here = await opened('101', '102');
    const [use, crowded] = [await here.stay(1, 1, '101', hours(1)), await here.stay(0, 0, '101', hours(0))];
    const other = await here.stay(0, 1, '102');
    const back = await here.stay(2, 2, '101', hours(2));
    await here.act(other, 'check-in', { early: true });
    expect(codeOf(await ask('createUnitBlock', blockOf(here)))).toEqual([409, 'RESERVATION_OVERLAP']);
    const { status, body } = await ask('createUnitBlock', blockOf(here, { force: true }));
    expect(status).toBe(201);
    const unitId = here.rooms['101'];
    const none = { unitId: null, overlapping: false };
    expect([await shown(use), await shown(crowded), await shown(back)]).toEqual([
      { ...none, overlapping: true },
      { ...none, overlapping: true },
      { unitId, overlapping: false },
    ]);
    await here.act(other, 'check-out');
    expect([await shown(use), await shown(crowded)]).toEqual([none, none]);
    expect((await ask('undoChanges', { requestId: body.meta.requestId })).status).toBe(200);
    expect(await shown(crowded)).toEqual({ unitId, overlapping: false });
  });

  it('a day use without a unit is cleared when the block ends', async () => {
    const here = await opened('101');
    const use = await here.stay(1, 1, '101', hours(1));
    const { body } = await ask('createUnitBlock', blockOf(here, { force: true }));
    expect(await shown(use)).toEqual({ unitId: null, overlapping: true });
    await ask('endUnitBlock', { propertyId: here.propertyId, blockId: body.data.id });
    expect(await shown(use)).toEqual({ unitId: null, overlapping: false });
  });
});
