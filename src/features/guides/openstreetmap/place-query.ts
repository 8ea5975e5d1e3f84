import type { Geo } from '../../../tenancy/properties/property.dto.js';
import { placeLinkUnreadable } from '../guides.errors.js';

/** The place that somebody's text refers to. */
export type PlaceQuery =
  | { kind: 'name'; name: string; geo?: Geo }
  | { kind: 'coordinate'; geo: Geo }
  /** An object of OpenStreetMap, such as node/240109189. */
  | { kind: 'element'; ref: string };

/**
 * Reads a name, a coordinate, a geo: address (RFC 5870) or a link of Google Maps, Apple Maps or OpenStreetMap. A link
 * is parsed, never followed.
 *
 * @throws validation_error for a link that does not identify a place.
 */
export function placeQuery(text: string): PlaceQuery {
  const given = text.trim();
  const geo = coordinateIn(given.replace(/^geo:/i, '').replace(/[;?].*$/s, ''));
  if (geo) return { kind: 'coordinate', geo };
  if (!/^https?:\/\//i.test(given)) return { kind: 'name', name: given };
  const found = URL.canParse(given) ? queryOfLink(new URL(given)) : undefined;
  if (!found) throw placeLinkUnreadable();
  return found;
}

function queryOfLink(link: URL): PlaceQuery | undefined {
  const host = link.hostname.replace(/^www\./, '');
  if (host === 'openstreetmap.org') return ofOpenStreetMap(link);
  if (host === 'maps.apple.com') return ofApple(link);
  if (/^maps\.google\.[a-z.]{2,6}$/.test(host)) return ofGoogle(link);
  return /^google\.[a-z.]{2,6}$/.test(host) && link.pathname.startsWith('/maps') ? ofGoogle(link) : undefined;
}

function ofOpenStreetMap({ pathname, searchParams, hash }: URL): PlaceQuery | undefined {
  const [, ref] = /^\/((?:node|way|relation)\/\d{1,15})\b/.exec(pathname) ?? [];
  if (ref) return { kind: 'element', ref };
  const marked = coordinateIn(`${searchParams.get('mlat')},${searchParams.get('mlon')}`);
  const [, seen = ''] = /map=[\d.]+\/(.+)$/.exec(hash) ?? [];
  return queryOf(searchParams.get('query'), marked ?? coordinateIn(seen.replace('/', ',')));
}

function ofApple({ searchParams }: URL): PlaceQuery | undefined {
  const name = searchParams.get('name') ?? searchParams.get('q') ?? searchParams.get('address');
  return queryOf(name, coordinateIn(searchParams.get('coordinate') ?? searchParams.get('ll')));
}

/** The pin (!3d…!4d…) marks the place; @… is only the centre of the window. */
function ofGoogle({ pathname, searchParams, href }: URL): PlaceQuery | undefined {
  const [, named] = /\/place\/([^/@]+)/.exec(pathname) ?? [];
  const asked = searchParams.get('query') ?? searchParams.get('q');
  const [, latitude, longitude] = /!3d(-?[\d.]+)!4d(-?[\d.]+)/.exec(href) ?? [];
  const [, window] = /@(-?[\d.]+,-?[\d.]+)/.exec(pathname) ?? [];
  const pin = coordinateIn(`${latitude},${longitude}`);
  return queryOf(named ? decoded(named) : asked, pin ?? coordinateIn(asked) ?? coordinateIn(window));
}

function queryOf(name: string | null, geo: Geo | undefined): PlaceQuery | undefined {
  const isNamed = name !== null && name.trim() !== '' && !coordinateIn(name);
  if (isNamed) return { kind: 'name', name: name.trim().slice(0, 500), ...(geo && { geo }) };
  return geo && { kind: 'coordinate', geo };
}

/** 38.6976, -9.2033, in degrees north and east. */
function coordinateIn(text: string | null | undefined): Geo | undefined {
  const [, north, east] =
    /^\s*(-?\d{1,2}(?:\.\d{1,20})?)\s*[,; ]\s*(-?\d{1,3}(?:\.\d{1,20})?)\s*$/.exec(text ?? '') ?? [];
  const [latitude, longitude] = [Number(north), Number(east)];
  return north !== undefined && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
    ? { latitude, longitude }
    : undefined;
}

function decoded(part: string): string {
  const spaced = part.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
