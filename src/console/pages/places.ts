import { getDay } from '../../features/boards/boards.operations.js';
import { listAvailableUnits } from '../../features/reservations/assignments/assignments.operations.js';
import { getAvailability } from '../../features/reservations/availability/availability.operations.js';
import { getProperty } from '../../tenancy/properties/properties.operations.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { listUnits } from '../../tenancy/units/units.operations.js';
import { listUnitTypes } from '../../tenancy/unit-types/unit-types.operations.js';
import type { Visit } from '../frame/visit.js';
import { roomsInUse } from './rooms-in-use.js';

const wholeProperty = 'whole';

/** Where a stay can be: any room of a type, a certain room, or the whole property. */
export interface FreePlace {
  readonly value: string;
  readonly label: string;
  /** Null for the whole property, and for a room without a type. */
  readonly unitTypeId: string | null;
}

/** What a chosen place is for an operation; one that is not chosen is an invalid unit. */
export function placeIn(value: string): { unitId: string | null; unitTypeId: string | null } {
  if (value === wholeProperty) return { unitId: null, unitTypeId: null };
  return value.startsWith('unittype_') ? { unitId: null, unitTypeId: value } : { unitId: value, unitTypeId: null };
}

/** Neither a type nor the whole property. */
export const isRoom = ({ value }: FreePlace): boolean => placeIn(value).unitId !== null;

/** What a stay takes, as such a value. */
export const placeOf = ({ unitId, unitTypeId }: { unitId: string | null; unitTypeId: string | null }): string =>
  unitId ?? unitTypeId ?? wholeProperty;

/** The date at a property, also for people who may see its stays but not its time zone. */
export async function todayAt({ ask, may }: Visit, propertyId: string): Promise<string> {
  if (may('properties:read')) return dayIn((await ask(getProperty, { propertyId })).timezone);
  return (await ask(getDay, { propertyId, limit: 1 })).record.date;
}

interface Nights {
  readonly propertyId: string;
  readonly from: string;
  readonly until: string;
}

const wholeOf = ({ name }: { name: string }): FreePlace => ({
  value: wholeProperty,
  label: `All of ${name}`,
  unitTypeId: null,
});

/** What is free on all of the nights. */
export async function placesOf(visit: Visit, { propertyId, from, until }: Nights): Promise<FreePlace[]> {
  const { ask } = visit;
  const whole = wholeOf(await ask(getProperty, { propertyId }));
  const nights = { propertyId, from, until, limit: 100 };
  const [{ record: bookable }, rooms] = [await ask(getAvailability, nights), await freeRooms(visit, nights)];
  const types = new Map(bookable.unitTypes.map((type) => [type.unitTypeId, type]));
  const isSold = (typeId: string | null): boolean => typeId !== null && types.get(typeId)?.free === 0;
  return [
    ...bookable.unitTypes
      .filter(({ unitTypeId }) => !isSold(unitTypeId))
      .map(({ unitTypeId, name, free }) => ({ value: unitTypeId, label: `Any ${name} (${free} free)`, unitTypeId })),
    ...rooms.filter(({ unitTypeId }) => !isSold(unitTypeId)),
    ...(bookable.wholeProperty ? [whole] : []),
  ];
}

/** When a day use is to be at a property: a date, and times on its clock. */
export interface DayUseHours {
  readonly propertyId: string;
  readonly day: string;
  readonly fromTime: string;
  readonly untilTime: string;
  /** The stay itself, which is in nobody's way. */
  readonly reservationId?: string;
}

/** Where a day use can be during its hours; the whole property if all of its rooms are free then. */
export async function placesDuring(visit: Visit, { day, ...hours }: DayUseHours): Promise<FreePlace[]> {
  const { ask } = visit;
  const { propertyId } = hours;
  const [{ items: free }, types, every, inUse] = await Promise.all([
    ask(listAvailableUnits, { ...hours, from: day, until: day, limit: 100 }),
    typesOf(ask, propertyId),
    everyRoom(ask, propertyId),
    roomsInUse(visit, { propertyId, from: day }),
  ]);
  const rooms = labelled(free, types, inUse);
  const isFree = (one: FreePlace): boolean => rooms.some(({ value }) => value === one.value);
  return [
    ...types.filter(({ id }) => free.some(({ unitTypeId }) => unitTypeId === id)).map(anyRoomOf),
    ...rooms,
    ...(every.every(isFree) ? [wholeOf(await ask(getProperty, { propertyId }))] : []),
  ];
}

const typesOf = async (ask: Visit['ask'], propertyId: string) =>
  (await ask(listUnitTypes, { propertyId, limit: 100, sort: 'createdAt' })).items;

const anyRoomOf = ({ id, name }: { id: string; name: string }): FreePlace => ({
  value: id,
  label: `Any ${name}`,
  unitTypeId: id,
});

/** The rooms that are free on all of the nights, or for a stay on its day, with their types, also where their type is sold out. */
export async function freeRooms(
  visit: Visit,
  nights: Nights & { readonly unitTypeId?: string; readonly reservationId?: string },
  inUse?: ReadonlySet<string>,
): Promise<FreePlace[]> {
  const [types, { items: units }, occupied] = await Promise.all([
    typesOf(visit.ask, nights.propertyId),
    visit.ask(listAvailableUnits, { ...nights, limit: 100 }),
    inUse ?? roomsInUse(visit, nights),
  ]);
  return labelled(units, types, occupied);
}

/** All rooms of a property, free or not. */
export async function everyRoom(ask: Visit['ask'], propertyId: string): Promise<FreePlace[]> {
  const [types, { items: units }] = await Promise.all([
    typesOf(ask, propertyId),
    ask(listUnits, { propertyId, limit: 100, sort: 'createdAt' }),
  ]);
  return labelled(units, types);
}

/** Rooms with their types, and whether guests are in them. */
function labelled(
  units: readonly { id: string; name: string; unitTypeId: string | null }[],
  types: readonly { id: string; name: string }[],
  inUse: ReadonlySet<string> = new Set(),
): FreePlace[] {
  const names = new Map(types.map(({ id, name }) => [id, name]));
  return units.map(({ id, name, unitTypeId }) => ({
    value: id,
    label: [name, names.get(unitTypeId ?? '')].filter(Boolean).join(', ') + (inUse.has(id) ? ' – occupied now' : ''),
    unitTypeId,
  }));
}
