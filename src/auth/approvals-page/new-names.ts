import type { Happening } from '../../platform/events/happening.js';
import type { Fields } from '../../platform/events/images.js';

type Names = ReadonlyMap<string, string>;

/** Also the names of records that would be created, which no query finds: as they are called, or what is known of them. */
export function withNew(known: Names, happened: readonly Happening[]): Names {
  const names = new Map(known);
  const created = happened.filter(({ change }) => change.before === null && change.after !== null);
  for (const { name, change } of created) if (name) names.set(change.target.id, name);
  for (const { data, change } of created) {
    const { id, type } = change.target;
    if (!names.has(id)) names.set(id, known.get(id) ?? (composed(data, names) || `A new ${type.replaceAll('_', ' ')}`));
  }
  return names;
}

/** As records that exist are named: whose, where, and when. */
function composed(data: Fields, names: Names): string {
  const place = [data.unitId, data.unitTypeId, data.propertyId, data.deviceId].find((id) => id);
  const [from, until] = [data.checkInDate ?? data.from, data.checkOutDate ?? data.until];
  const known = [data.guestId, place].map((id) => names.get(id as string));
  return [data.url, ...known, [from, until].filter(Boolean).join(' to ')].filter(Boolean).join(', ');
}
