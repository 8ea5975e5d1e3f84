import type { Geo } from '../../../organizations/property.dto.js';

/** An answer of somebody else's server, of which nothing is known yet. */
export const asRecord = (raw: unknown): Record<string, unknown> =>
  typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};

/** Where it is, or its middle; numbers may come as text. */
export function geoOf(place: Record<string, unknown>): Geo | undefined {
  const { lat, lon } = 'lat' in place ? place : asRecord(place.center);
  const [latitude, longitude] = [degrees(lat), degrees(lon)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** NaN for what is no number: Number reads emptiness as 0, which is a place in the sea. */
const degrees = (raw: unknown): number =>
  typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : NaN;

/** Kept with the place, so nothing that the database refuses may be in it. */
export const refOf = (type: unknown, id: unknown): string =>
  `${String(type)}/${String(id)}`
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 100)
    .toWellFormed();

export const tagsOf = (raw: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asRecord(raw)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
