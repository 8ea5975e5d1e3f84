import { Catalogue } from '#operations';
import type { Api, Json } from './api.js';
import type { Service } from './start-app.js';

/** The record of an event or an audit entry, with what the event recorded of it. */
export interface Subject {
  type: string;
  id: string;
  data: Json;
}

/** Kinds of records that are read from a list, because no operation reads a single one. */
const lists: Record<string, (data: Json) => string[]> = {
  access_code: () => ['/access-codes?limit=100'],
  webhook_endpoint: () => ['/webhook-endpoints?limit=100'],
  role: () => ['/roles?limit=100'],
  suppression: () => ['/suppressions?limit=100'],
  application: () => ['/applications?limit=100&of=organization'],
  unit: ({ propertyId }) =>
    ['false', 'true'].map((archived) => `/properties/${propertyId}/units?limit=100&archived=${archived}`),
  unit_block: ({ propertyId }) =>
    ['false', 'true'].map((ended) => `/properties/${propertyId}/unit-blocks?limit=100&ended=${ended}`),
  unit_type: ({ propertyId }) =>
    ['false', 'true'].map((archived) => `/properties/${propertyId}/unit-types?limit=100&archived=${archived}`),
  translation: ({ id }) => [`/guides/${id}/translations?limit=100`],
  place: ({ guideId }) => ['', '&status=hidden'].map((status) => `/guides/${guideId}/places?limit=100${status}`),
};

/** The record as a client reads it now, with the names that its events use; undefined if it does not exist. */
export async function readRecord({ app }: Service, api: Api, { type, id, data }: Subject): Promise<Json> {
  const key = (data.translationId ?? id) as string;
  const kind = data.translationId ? 'translation' : type;
  const list = lists[kind];
  const found = list
    ? (await Promise.all(list(data).map((path) => api.get(path))))
        .flatMap(({ body }) => body.data as Json[])
        .find((record) => record.id === key)
    : await readOne(app.get(Catalogue), api, type, id);
  if (kind === 'translation') return found && { ...found, id, translationId: key };
  if (!found || type !== 'reservation') return found;
  const companionIds = (found.companions as Json[]).map((guest) => guest.id as string);
  return { ...found, guestId: found.primaryGuest?.id ?? null, companionIds };
}

async function readOne(catalogue: Catalogue, api: Api, type: string, id: string): Promise<Json> {
  if (type === 'organization') return (await api.get('/organization')).body.data as Json;
  const folder = `/${type === 'property' ? 'properties' : `${type.replaceAll('_', '-')}s`}/{`;
  const reading = catalogue
    .all()
    .map(({ operation }) => operation)
    .find(({ method, path }) => method === 'GET' && path.startsWith(folder) && path.endsWith('}'));
  if (!reading) throw new Error(`No operation reads one ${type}`);
  const { status, body } = await api.get(reading.path.replace(/\{\w+\}$/, id));
  return status === 200 ? (body.data as Json) : undefined;
}
