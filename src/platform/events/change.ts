import { isSameValue } from '#persistence';
import type { EventType } from './event-type.js';
import type { Fields, Images } from './images.js';
import type { AuditChange } from '../audit/act.js';

/** Replaces free text, in which people may write about guests, because the trail outlives what they erase. */
export const notKept = '[not kept]';

/**
 * The part of an event's data that describes the change: all of it if the record was created or deleted, else the
 * fields that differ. Events contain no secret and only the id of a guest, and so does the trail.
 */
export function changeOf({ freeText }: EventType, { before, after }: Images): Pick<AuditChange, 'before' | 'after'> {
  const names = Object.keys(after ?? before ?? {}).filter(
    (name) => !before || !after || !isSameValue(before[name], after[name]),
  );
  const kept = (fields: Fields | null): Fields | null =>
    fields &&
    Object.fromEntries(
      names.map((name) => [name, freeText.includes(name) && fields[name] !== null ? notKept : fields[name]]),
    );
  return { before: kept(before), after: kept(after) };
}
