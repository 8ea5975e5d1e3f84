import type { Api, Json } from './api.js';

export interface MadeKey {
  id: string;
  key: string;
  api: Api;
}

/** A key that `api` creates; by default with every scope and a limit that no test reaches. */
export async function keyWith(api: Api, wishes: object = {}): Promise<MadeKey> {
  const { status, body } = await api.post('/api-keys', {
    name: 'A key of the tests',
    scopes: ['*'],
    ratePerMinute: 60_000,
    ...wishes,
  });
  if (status !== 201) throw new Error(`No key was made: ${JSON.stringify(body)}`);
  const { id, key } = body.data as { id: string; key: string };
  return { id, key, api: api.as(key) };
}

export async function propertyOf(api: Api, name = 'Lake House'): Promise<string> {
  const { status, body } = await api.post('/properties', { name, timezone: 'Europe/Lisbon' });
  if (status !== 201) throw new Error(`No property was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

export async function taskOf(api: Api, wishes: object = {}): Promise<string> {
  const { status, body } = await api.post('/tasks', { name: 'Change the linen', ...wishes });
  if (status !== 201) throw new Error(`No task was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

/** A valid id that refers to nothing. */
export const absentId = (prefix: string): string => `${prefix}_01900000000070008000000000000000`;

export async function unitOf(api: Api, propertyId: string, name = '101'): Promise<string> {
  const { status, body } = await api.post(`/properties/${propertyId}/units`, { name });
  if (status !== 201) throw new Error(`No unit was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}

/** Two nights from today on, so that the guests may arrive. */
export function nightsFromToday(nights = 2): { checkInDate: string; checkOutDate: string } {
  const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  return { checkInDate: day(0), checkOutDate: day(nights) };
}

/** A stay, as it is returned; two nights of July 2030 by default. */
export async function stayOf(api: Api, wishes: { propertyId: string; [name: string]: unknown }): Promise<Json> {
  const { status, body } = await api.post('/reservations', {
    checkInDate: '2030-07-01',
    checkOutDate: '2030-07-03',
    ...wishes,
  });
  if (status !== 201) throw new Error(`No stay was made: ${JSON.stringify(body)}`);
  return body.data;
}

/** A connection of a system that writes to us. */
export async function pushedBy(api: Api, settings: object = {}): Promise<string> {
  const { status, body } = await api.post('/connections', { provider: 'push', kind: 'pms', name: 'Vendor', settings });
  if (status !== 201) throw new Error(`No connection was made: ${JSON.stringify(body)}`);
  return body.data.id as string;
}
