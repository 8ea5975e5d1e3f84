import { isSameValue } from '#persistence';
import type { EventType } from './event-type.js';
import type { AuditChange } from '../audit/audit.service.js';

export type Fields = Record<string, unknown>;

/** Stands for free text, in which people may write about guests: the trail outlives whatever they erase. */
const notKept = '[not kept]';

/** A record's fields as an event type shows them, before and after; null where there was, or is, no record. */
export interface Images {
  before: Fields | null;
  after: Fields | null;
}

/**
 * What an event's data say of a change: of something that was created or deleted all of it, else the fields that differ.
 * They tell no secret and of a guest nothing but the id, and so neither does the trail.
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
