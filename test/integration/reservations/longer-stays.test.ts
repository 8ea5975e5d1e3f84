import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { afterDeparture, codeOf, dates, day, done, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { pushedBy } from '../../support/factories.js';

/** Guests in house who stay longer, although their room is taken. */
let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
beforeEach(() => clock.set('2030-07-01T08:00:00Z'));
afterEach(() => clock.restore());

const turnover = {
  automaticTasks: [afterDeparture('Clean', 'cleaning', 120)],
};
const hotel = (): Promise<Hotel> => hotelOf(tenant.api, { Double: ['101', '102'], Suite: ['201'] }, turnover);
const cleanings = async ({ id }: Json): Promise<string[]> =>
  (await tenant.api.get(`/tasks?reservationId=${id}&open=true`)).body.data
    .map((task: Json) => `${task.unitId} ${task.canStartAt.slice(0, 10)}`)
    .toSorted();

/** Guests in 101 since three days ago. */
async function inHouse(here: Hotel, until: number): Promise<Json> {
  const stay = await here.stay(-3, until, '101');
  await here.act(stay, 'check-in');
  return stay;
}

describe.each(doorNames)('over %s', (door) => {
  const move = (stay: Json, input: object) =>
    tenant.doors[door].ask('moveReservation', { reservationId: stay.id, ...input });
  /** The options of a move that is rejected. */
  const optionsOf = async (stay: Json, input: object): Promise<Json[]> => {
    const asked = await move(stay, input);
    expect(codeOf(asked)).toEqual([409, 'RESERVATION_OVERLAP']);
    return asked.body.error.details.explanation.options;
  };

  it('guests who were to leave before today stay on in another room from today on', async () => {
    const here = await hotel();
    const stay = await inHouse(here, -1);
    await here.stay(0, 1, '101');
    const [option] = await optionsOf(stay, dates(-3, 2));
    expect(option).toMatchObject({
      operation: 'moveReservation',
      input: { reservationId: stay.id, unitId: here.rooms['102'], from: day(0), checkOutDate: day(2) },
    });
    const { status, body } = await tenant.doors[door].ask(option?.operation, option?.input);
    expect([status, body.data.unitId, body.data.checkOutDate]).toEqual([200, here.rooms['102'], day(2)]);
    expect(body.data.departureAt.slice(0, 10)).toBe(day(2));
    expect(body.data.segments).toMatchObject([
      { unitId: here.rooms['101'], from: day(-3), until: day(0) },
      { unitId: here.rooms['102'], from: day(0), until: day(2) },
    ]);
    expect(await cleanings(stay)).toEqual(
      [`${here.rooms['101']} ${day(0)}`, `${here.rooms['102']} ${day(2)}`].toSorted(),
    );
  });

  it('the other room has the nights since the booked departure where theirs was taken on these too', async () => {
    const here = await hotel();
    const stay = await inHouse(here, -1);
    await here.stay(-1, 1, '101');
    const [option] = await optionsOf(stay, dates(-3, 2));
    expect(option?.input).toMatchObject({ unitId: here.rooms['102'], from: day(-1), checkOutDate: day(2) });
    const { body } = await tenant.doors[door].ask(option?.operation, option?.input);
    expect(body.data).toMatchObject({ unitId: here.rooms['102'], segments: [{ until: day(-1) }, { from: day(-1) }] });
    expect(await cleanings(stay)).toContain(`${here.rooms['101']} ${day(0)}`);
  });

  it('guests whose room is taken from their departure on get another one for the nights after it', async () => {
    const here = await hotel();
    const stay = await inHouse(here, 2);
    await here.stay(2, 5, '101');
    await here.stay(3, 5, '102');
    const [option] = await optionsOf(stay, dates(-3, 4));
    expect(option?.input).toMatchObject({ unitId: here.rooms['201'], from: day(2), checkOutDate: day(4) });
    const { body } = await tenant.doors[door].ask(option?.operation, option?.input);
    expect(body.data.segments).toMatchObject([{ unitId: here.rooms['101'] }, { unitId: here.rooms['201'] }]);
    expect(body.data.unitId).toBe(here.rooms['101']);
  });

  describe('guests whose room is blocked,', () => {
    const block = async (here: Hotel, from: number, until: number): Promise<void> => {
      const of = { unitId: here.rooms['101'], from: day(from), until: day(until), kind: 'out_of_order', force: true };
      await done(tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, of));
    };

    it.each([
      ['from a night that they have on', 1],
      ['since a night that is over', -1],
    ])('%s, learn which rooms are free for the nights after theirs', async (_, from) => {
      const here = await hotel();
      const stay = await inHouse(here, 2);
      await block(here, from, 5);
      const asked = await move(stay, dates(-3, 4));
      expect(codeOf(asked)).toEqual([409, 'UNIT_BLOCKED']);
      const [option] = asked.body.error.details.explanation.options;
      expect(option?.input).toMatchObject({ unitId: here.rooms['102'], from: day(2), checkOutDate: day(4) });
      const { body } = await tenant.doors[door].ask(option?.operation, option?.input);
      expect(body.data.segments).toMatchObject([{ until: day(2) }, { unitId: here.rooms['102'], until: day(4) }]);
    });

    it('since a night that is over, get another room', async () => {
      const here = await hotel();
      const stay = await inHouse(here, 2);
      await block(here, -1, 5);
      const { status, body } = await move(stay, { unitId: here.rooms['102'], from: day(0) });
      expect([status, body.data?.unitId]).toEqual([200, here.rooms['102']]);
    });
  });

  it('a room that is taken on these nights is rejected, with those that are free', async () => {
    const here = await hotel();
    const stay = await inHouse(here, -1);
    await here.stay(0, 1, '101');
    await here.stay(1, 2, '102');
    const wanted = { unitId: here.rooms['102'], from: day(0), checkOutDate: day(2) };
    const [option] = await optionsOf(stay, wanted);
    expect(option?.input).toEqual({ reservationId: stay.id, ...wanted, unitId: here.rooms['201'] });
  });

  it('the same room keeps the stay as it is but for the departure', async () => {
    const here = await hotel();
    const stay = await inHouse(here, -1);
    const { body } = await move(stay, { unitId: here.rooms['101'], from: day(0), checkOutDate: day(2) });
    expect(body.data.segments).toMatchObject([{ unitId: here.rooms['101'], from: day(-3), until: day(2) }]);
    expect(await cleanings(stay)).toEqual([`${here.rooms['101']} ${day(2)}`]);
  });

  it.each([
    ['from today on without a later departure', 0, undefined],
    ['from today on until today', 0, 0],
    ['from a night that is booked and over', -2, 2],
    ['from its new departure on', 2, 2],
  ])('a move is rejected %s', async (_, from, until) => {
    const here = await hotel();
    const stay = await inHouse(here, -1);
    const asked = { unitId: here.rooms['102'], from: day(from) };
    const later = until === undefined ? {} : { checkOutDate: day(until) };
    expect(codeOf(await move(stay, { ...asked, ...later }))).toEqual([400, 'MOVE_FROM_IMPOSSIBLE']);
  });
});

it('the departure of a stay of another system is changed there', async () => {
  const here = await hotel();
  const pushed = await pushedBy(tenant.api);
  const said = { propertyId: here.propertyId, unitId: here.rooms['101'], ...dates(-3, -1), stayStatus: 'checked_in' };
  const { data } = (await tenant.api.send('PUT', `/connections/${pushed}/reservations/R-1`, said)).body;
  const asked = { unitId: here.rooms['102'], from: day(0), checkOutDate: day(2) };
  expect(codeOf(await here.act(data, 'move', asked))).toEqual([409, 'PROVIDER_OWNED']);
});
