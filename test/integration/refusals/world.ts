import { Catalogue, type Operation } from '#operations';
import { refusalsOf } from '../../../src/edge/refusals.js';
import type { Api, Json } from '../../support/api.js';
import { type Door, type DoorReply, doors } from '../../support/doors.js';
import { keyWith, propertyOf, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { day, type Hotel, hotelOf } from '../../support/hotel.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import type { Service } from '../../support/start-app.js';

/** An operation, the code or key of its error, and the call that provokes it. */
export type Case = readonly [operation: string, code: string, call: () => Promise<DoorReply>];

/** An organization with records of each kind that has references, by the path parameters that lead to them. */
export interface World {
  api: Api;
  door: Door;
  /** A key that belongs to no connection, and may not read connections. */
  stranger: Door;
  hotel: Hotel;
  simulator: Simulator;
  ids: Record<string, string>;
  operations: readonly Operation[];
  /** Requests an operation, and fails if it is rejected. */
  done(operation: string, input?: object): Promise<Json>;
}

export async function openWorld(service: Service): Promise<World> {
  const { api } = await keyWith(service.api);
  const door = doors(service).rest.as(api.key);
  const { scopes } = (await api.get('/me')).body.data;
  const others = scopes.filter((scope: string) => !scope.startsWith('connections:'));
  const hotel = await hotelOf(api, { double: ['101', '102'], single: ['201'], '': ['annex'] });
  const propertyId = await propertyOf(api);
  const simulator = await simulatorOf(api);
  const done: World['done'] = async (operation, input) => {
    const { status, body } = await door.ask(operation, input);
    if (status >= 300) throw new Error(`${operation}: ${JSON.stringify(body)}`);
    return body.data;
  };
  return {
    api,
    door,
    stranger: doors(service).rest.as((await keyWith(service.api, { scopes: others })).key),
    hotel,
    simulator,
    ids: {
      propertyId,
      unitId: await unitOf(api, propertyId),
      unitTypeId: (await done('createUnitType', { propertyId, name: 'Suite' })).id,
      guestId: (await done('createGuest', { name: 'Ana' })).id,
      reservationId: (await stayOf(api, { propertyId, checkInDate: day(50), checkOutDate: day(51) })).id,
      taskId: await taskOf(api),
      deviceId: simulator.devices['sim-lock-1'],
    },
    operations: service.app
      .get(Catalogue)
      .all()
      .map(({ operation }) => operation),
    done,
  };
}

/** The operations that declare a code or a key. */
export const declaring = ({ operations }: World, code: string): Operation[] =>
  operations.filter((operation) => refusalsOf(operation).some((one) => (one.key ?? one.code) === code));

/** A case that requests an operation at its time, after its prerequisites have been created. */
export const asking =
  ({ door }: World) =>
  (name: string, code: string, input: object | (() => Promise<object>)): Case => [
    name,
    code,
    async () => door.ask(name, typeof input === 'function' ? await input() : input),
  ];
