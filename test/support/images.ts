import { isDeepStrictEqual } from 'node:util';
import { eventTypes } from '../../src/platform/events/event-type.js';
import type { Json } from './api.js';

type Fields = Record<string, unknown>;
/** The service notes between its events when a command was sent. */
const unrecorded = new Set(['sentAt']);

interface Images {
  before: Fields | null;
  after: Fields | null;
}

/**
 * The combined content of all entries about one record, the earliest first: the fields that differ from the first to
 * the last.
 */
export function imagesOf(entries: readonly Images[]): Images {
  const [first, last] = [entries[0], entries.at(-1)] as [Images, Images];
  if (entries.length === 1) return first;
  const before = first.before && (Object.assign({}, ...entries.toReversed().map((entry) => entry.before)) as Fields);
  const after = last.after && (Object.assign({}, ...entries.map((entry) => entry.after)) as Fields);
  return differing({ before, after });
}

/**
 * The expected content of entries about a record that was read before and after, with the fields that its events show.
 */
export function expectedImages(was: Json, is: Json, { type, data }: { type: string; data: Json }): Images {
  const names = Object.keys(data as object).filter((name) => name in ((is ?? was) as object) && !unrecorded.has(name));
  const pick = (record: Json): Fields | null =>
    record ? Object.fromEntries(names.map((name) => [name, record[name] as unknown])) : null;
  const { before, after } = differing({ before: pick(was), after: pick(is) });
  const freeText = eventTypes().get(type)?.freeText ?? [];
  const kept = (fields: Fields | null) =>
    fields &&
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        freeText.includes(name) && value !== null ? '[not kept]' : value,
      ]),
    );
  return { before: kept(before), after: kept(after) };
}

/** The fields of an image that a client can read, which excludes those that only events show. */
export const readable = ({ before, after }: Images, record: Json): Images => {
  const shown = (fields: Fields | null) =>
    fields &&
    Object.fromEntries(Object.entries(fields).filter(([name]) => name in (record as object) && !unrecorded.has(name)));
  return { before: shown(before), after: shown(after) };
};

function differing({ before, after }: Images): Images {
  if (!before || !after) return { before, after };
  const names = Object.keys(after).filter((name) => !isDeepStrictEqual(before[name], after[name]));
  const of = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: of(before), after: of(after) };
}
