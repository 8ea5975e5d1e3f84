import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../event-type.js';
import type { AuditChange } from './audit.service.js';

type Fields = Record<string, unknown>;

/** Stands for free text, in which people may write about guests: the trail outlives whatever they erase. */
const notKept = '[not kept]';

/**
 * What an event's data say of a change: of something that was made or deleted all of it, else the fields that differ.
 * They tell no secret and of a guest nothing but the id, and so neither does the trail.
 */
export function changeOf(type: EventType, after: Fields, before?: Fields): Pick<AuditChange, 'before' | 'after'> {
  const names = Object.keys(after).filter((name) => !before || !isDeepStrictEqual(before[name], after[name]));
  const kept = (fields: Fields): Fields =>
    Object.fromEntries(
      names.map((name) => [name, type.freeText.includes(name) && fields[name] !== null ? notKept : fields[name]]),
    );
  if (type.closes) return { before: kept(after), after: null };
  return { before: before ? kept(before) : null, after: kept(after) };
}
