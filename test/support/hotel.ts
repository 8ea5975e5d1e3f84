import type { Api, Json } from './api.js';

const dayMs = 86_400_000;

/** A date, counted in days from today (UTC). */
export const day = (offset: number): string => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);

/** A small hotel in UTC: rooms of unit types, and the actions of its front desk. */
export interface Hotel {
  propertyId: string;
  types: Record<string, string>;
  rooms: Record<string, string>;
  /** Books by days from today; the place is a name of a type or of a room, or nothing for the whole hotel. */
  book(from: number, until: number, place?: string, wishes?: object): Promise<{ status: number; body: Json }>;
  act(stay: Json, verb: string, input?: object): Promise<{ status: number; body: Json }>;
  stay(from: number, until: number, place?: string, wishes?: object): Promise<Json>;
}

/** @param plan the rooms of each type, by their names; rooms under `''` have no type. */
export async function hotelOf(api: Api, plan: Record<string, string[]>, property: object = {}): Promise<Hotel> {
  const made = async (path: string, input: object): Promise<string> => {
    const { status, body } = await api.post(path, input);
    if (status !== 201) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data.id as string;
  };
  const times = { checkInTime: '00:00', checkOutTime: '12:00' };
  const propertyId = await made('/properties', { name: 'Hotel', timezone: 'UTC', ...times, ...property });
  const [types, rooms]: [Hotel['types'], Hotel['rooms']] = [{}, {}];
  for (const [type, names] of Object.entries(plan)) {
    if (type) types[type] = await made(`/properties/${propertyId}/unit-types`, { name: type });
    const unitTypeId = types[type] ?? null;
    for (const name of names) rooms[name] = await made(`/properties/${propertyId}/units`, { name, unitTypeId });
  }
  const placeOf = (name: string): object => {
    if (rooms[name]) return { unitId: rooms[name] };
    return name ? { unitTypeId: types[name] } : {};
  };
  const book: Hotel['book'] = (from, until, place = '', wishes = {}) =>
    api.post('/reservations', {
      propertyId,
      ...placeOf(place),
      checkInDate: day(from),
      checkOutDate: day(until),
      ...wishes,
    });
  return {
    propertyId,
    types,
    rooms,
    book,
    act: ({ id }, verb, input) => api.post(`/reservations/${id}/${verb}`, input),
    stay: async (...args) => {
      const { status, body } = await book(...args);
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data;
    },
  };
}

export const codeOf = ({ status, body }: { status: number; body: Json }): [number, string] => [
  status,
  (body.error?.details?.key ?? body.error?.code ?? 'OK') as string,
];

export const dates = (from: number, until: number) => ({ checkInDate: day(from), checkOutDate: day(until) });

/** @returns the id of a request that succeeded, by which it is undone. */
export async function done(asked: Promise<{ status: number; body: Json }>): Promise<string> {
  const { status, body } = await asked;
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body.meta.requestId as string;
}

const departure = (offsetMinutes: number) => ({ event: 'departure', offsetMinutes });

/** A task that each stay at a property gets, from its departure on. */
export const afterDeparture = (name: string, type: string, minutes: number) => ({
  name,
  type,
  timeRule: { start: departure(0), end: departure(minutes) },
});
