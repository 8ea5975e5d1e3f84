import type { Geo } from '../../../tenancy/properties/property.dto.js';

/** A response from another server, not yet validated. */
export const asRecord = (raw: unknown): Record<string, unknown> =>
  typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>) : {};

/** Where it is, or its middle; numbers may come as text. */
export function geoOf(place: Record<string, unknown>): Geo | undefined {
  const { lat, lon } = 'lat' in place ? place : asRecord(place.center);
  const [latitude, longitude] = [degrees(lat), degrees(lon)];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** NaN if it is not a number: Number reads empty text as 0, which is a place in the sea. */
const degrees = (raw: unknown): number =>
  typeof raw === 'number' || (typeof raw === 'string' && raw.trim() !== '') ? Number(raw) : NaN;

/** Stored with the place, so it must not contain anything that the database rejects. */
export const refOf = (type: unknown, id: unknown): string =>
  `${String(type)}/${String(id)}`
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 100)
    .toWellFormed();

export const tagsOf = (raw: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(asRecord(raw)).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
