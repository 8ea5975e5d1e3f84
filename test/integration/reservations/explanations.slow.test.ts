import type { Json } from '../../support/api.js';
import { keyWith, pushedBy } from '../../support/factories.js';
import { doorNames } from '../../support/doors.js';
import { codeOf, day, type Hotel, hotelOf } from '../../support/hotel.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const plan = { Double: ['101', '102', '103'], Single: ['1'] };
const guest = { primaryGuest: { name: 'Nadia Secret', email: 'nadia@guests.example' } };

interface Scene {
  /** The rejected requests, in a new hotel with rooms of two types. */
  of(here: Hotel): Promise<Json>;
  code: string;
  holds: string[];
  /** The operations of the options, in their order. */
  options: string[];
}

const block = (here: Hotel, input: object): Promise<Json> =>
  tenant.api.post(`/properties/${here.propertyId}/unit-blocks`, { kind: 'out_of_order', ...input });
const cancelled = async (here: Hotel, ...stay: Parameters<Hotel['stay']>): Promise<Json> => {
  const gone = await here.stay(...stay);
  await here.act(gone, 'cancel');
  return gone;
};

const scenes: Record<string, Scene> = {
  'a new stay in an occupied room': {
    of: async (here) => {
      await here.stay(2, 5, '101', guest);
      return await here.book(3, 6, '101', guest);
    },
    code: 'RESERVATION_OVERLAP',
    holds: ['reservation'],
    options: [
      'createReservation', // 102
      'createReservation', // 103
      'createReservation', // of the type
      'createReservation', // later
      'assignUnit',
      'unassignUnit',
    ],
  },
  'a new stay of a type that is full': {
    of: async (here) => {
      for (const room of ['101', '102']) await here.stay(2, 4, room, guest);
      await here.stay(2, 4, 'Double', guest);
      return await here.book(3, 4, 'Double', guest);
    },
    code: 'UNIT_TYPE_FULL',
    holds: ['unit_type'],
    // Room 103, which the type still needs, is not offered; the room of another type is.
    options: ['createReservation', 'createReservation', 'createReservation'],
  },
  'a new stay in a blocked room': {
    of: async (here) => {
      await block(here, { unitId: here.rooms['101'], from: day(2), until: day(5) });
      return await here.book(3, 6, '101', guest);
    },
    code: 'UNIT_BLOCKED',
    holds: ['block'],
    options: ['createReservation', 'createReservation', 'createReservation', 'createReservation'],
  },
  'a stay that moves to an occupied room': {
    of: async (here) => {
      await here.stay(2, 5, '101', guest);
      const other = await here.stay(2, 5, '102', guest);
      return await here.act(other, 'move', { unitId: here.rooms['101'], checkInDate: day(3), checkOutDate: day(6) });
    },
    code: 'RESERVATION_OVERLAP',
    holds: ['reservation'],
    options: ['moveReservation', 'moveReservation', 'moveReservation', 'assignUnit', 'unassignUnit'],
  },
  'a cancelled stay whose room is occupied': {
    of: async (here) => {
      const gone = await cancelled(here, 2, 5, '101', guest);
      await here.stay(3, 4, '101', guest);
      return await here.act(gone, 'reinstate');
    },
    code: 'NIGHTS_TAKEN',
    holds: ['reservation'],
    options: ['assignUnit', 'unassignUnit'],
  },
  'a stay of the whole house': {
    of: async (here) => {
      await here.stay(2, 5, '101', guest);
      return await here.book(1, 3, '', guest);
    },
    code: 'RESERVATION_OVERLAP',
    holds: ['reservation'],
    options: ['createReservation', 'createReservation', 'createReservation', 'createReservation', 'createReservation'],
  },
  'a block of an occupied room': {
    of: async (here) => {
      await here.stay(2, 5, '101', guest);
      return await block(here, { unitId: here.rooms['101'], from: day(3), until: day(4), reason: 'Nadia broke it' });
    },
    code: 'RESERVATION_OVERLAP',
    holds: ['reservation'],
    options: ['assignUnit', 'unassignUnit', 'createUnitBlock'],
  },
};

describe.each(Object.entries(scenes))('%s', (_, { of, code, holds, options }) => {
  const refused = async (): Promise<Json> => {
    const reply = await of(await hotelOf(tenant.api, plan));
    expect(codeOf(reply)).toEqual([409, code]);
    return reply.body.error.details;
  };

  it('is explained without the names of guests', async () => {
    const details = await refused();
    const { wants, holds: held, options: offered } = details.explanation;
    expect(Object.keys(wants)).toEqual(['propertyId', 'unitId', 'unitTypeId', 'from', 'until']);
    expect(held.map(({ type }: Json) => type)).toEqual(holds);
    expect(offered.map(({ operation }: Json) => operation)).toEqual(options);
    expect(JSON.stringify(details)).not.toMatch(/Nadia|guests\.example/);
  });

  it.each(options.map((operation, index) => [index, operation]))(
    'offers a call that succeeds unchanged: %i, %s',
    async (index) => {
      const { options: offered } = (await refused()).explanation;
      const { operation, input } = offered[index as number];
      const reply = await tenant.doors.rest.ask(operation, input);
      expect([reply.status, reply.body.error]).toEqual([expect.any(Number), undefined]);
      expect(reply.status).toBeLessThan(300);
    },
  );
});

it.each(doorNames)('is the same over %s, and for a caller of one property', async (door) => {
  const here = await hotelOf(tenant.api, plan);
  await here.stay(2, 5, '101');
  const input = { propertyId: here.propertyId, unitId: here.rooms['101'], checkInDate: day(3), checkOutDate: day(6) };
  const { body } = await tenant.doors[door].ask('createReservation', input);
  expect(body.error.details.explanation.options).toHaveLength(6);
  expect((await tenant.doors[door].as(tenant.limited.key).ask('createReservation', input)).status).toBe(404);
});

it('offers no dates in the past and moves no guests in house', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  const inHouse = await here.stay(0, 2, '101');
  await here.act(inHouse, 'check-in');
  const { body } = await here.book(1, 3, '101');
  const { options } = body.error.details.explanation;
  expect(options.map(({ operation, input }: Json) => [operation, input.checkInDate])).toEqual([
    ['createReservation', day(2)],
  ]);
});

it('offers no other unit to the next guests where the type has none for both', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  const gone = await here.stay(0, 2, '101');
  await here.act(gone, 'check-in');
  await here.act(gone, 'check-out');
  await here.stay(0, 2, '101');
  const { body } = await here.act(gone, 'undo-check-out');
  expect([body.error.code, body.error.details.explanation.options]).toEqual(['NIGHTS_TAKEN', []]);
});

const optionsOf = ({ body }: { body: Json }): string[] =>
  body.error.details.explanation.options.map(({ operation }: Json) => operation);

it('offers no dates that are too late for a date', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101'] });
  const place = { propertyId: here.propertyId, unitTypeId: here.types.Double };
  const late = { ...place, checkInDate: '9000-12-20', checkOutDate: '9000-12-31' };
  expect((await tenant.api.post('/reservations', late)).status).toBe(201);
  const { body } = await tenant.api.post('/reservations', { ...late, checkInDate: '9000-12-26' });
  const { options } = body.error.details.explanation;
  expect(options.map(({ input }: Json) => input.checkOutDate)).toEqual(['9000-12-20']);
});

describe('a block offers other units to the guests in its way', () => {
  const over101 = async (more: (here: Hotel) => Promise<unknown>, key = tenant.key) => {
    const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
    await here.stay(2, 5, '101');
    await more(here);
    const input = { unitId: here.rooms['101'], from: day(3), until: day(7), kind: 'out_of_order' };
    return await tenant.doors.rest.as(key).ask('createUnitBlock', { propertyId: here.propertyId, ...input });
  };

  it('where it succeeds after that', async () => {
    const all = ['assignUnit', 'unassignUnit', 'createUnitBlock'];
    expect(optionsOf(await over101(async () => {}))).toEqual(all);
    expect(optionsOf(await over101((here) => here.stay(2, 3, 'Double')))).toEqual(all);
    expect(optionsOf(await over101((here) => here.stay(4, 6, '102')))).toEqual(['createUnitBlock']);
    expect(optionsOf(await over101((here) => here.stay(5, 7, '101')))).toEqual([...all.slice(0, 2), ...all]);
    const three = async (here: Hotel): Promise<unknown> => [await here.stay(5, 6, '101'), await here.stay(6, 7, '101')];
    expect(optionsOf(await over101(three))).toEqual(['createUnitBlock']);
  });

  it('to those who may assign units', async () => {
    const { key } = await keyWith(tenant.api, { scopes: ['properties:read', 'properties:write'] });
    expect(optionsOf(await over101(async () => {}, key))).toEqual(['createUnitBlock']);
  });
});

it('shows the requested room of guests in house, and rooms that are free from that night on', async () => {
  const here = await hotelOf(tenant.api, plan);
  const stay = await here.stay(0, 4, '101');
  await here.act(stay, 'check-in');
  await here.stay(2, 3, '102');
  await here.stay(0, 1, '103');
  const refused = await here.act(stay, 'move', { unitId: here.rooms['102'], from: day(1) });
  expect(codeOf(refused)).toEqual([409, 'RESERVATION_OVERLAP']);
  const { wants, options } = refused.body.error.details.explanation;
  const { propertyId, rooms, types } = here;
  expect(wants).toEqual({ propertyId, unitId: rooms['102'], unitTypeId: types.Double, from: day(1), until: day(4) });
  expect(options[0]).toMatchObject({
    operation: 'moveReservation',
    input: { reservationId: stay.id, unitId: rooms['103'], from: day(1) },
  });
  expect(options.map(({ operation }: Json) => operation)).toEqual(['moveReservation', 'assignUnit', 'unassignUnit']);
  expect((await tenant.doors.rest.ask('moveReservation', options[0].input)).status).toBe(200);
});

it('offers no other place or dates for a stay that its system decides', async () => {
  const here = await hotelOf(tenant.api, { Double: ['101', '102'] });
  await here.stay(2, 4, '101');
  const connection = await pushedBy(tenant.api, { ownsOverlaps: false });
  const stay = { propertyId: here.propertyId, unitId: here.rooms['101'], checkInDate: day(2), checkOutDate: day(3) };
  const refused = await tenant.api.send('PUT', `/connections/${connection}/reservations/1`, stay);
  expect([...codeOf(refused), ...optionsOf(refused)]).toEqual([
    409,
    'RESERVATION_OVERLAP',
    'assignUnit',
    'unassignUnit',
  ]);
});
