import type { Caller } from '#access';
import { masked } from '#operations';
import { isSameValue } from '#persistence';
import { eventTypes } from '../../platform/events/event-type.js';
import { type Happening, type InWords, shownChange } from '../../platform/events/happening.js';
import type { Fields } from '../../platform/events/images.js';
import { mayReadEvent } from '../../platform/events/readable-events.js';
import { isNothing, tidy } from './tidy.js';
import { wouldBe } from './would-be.js';

/** One record that would change. */
export interface ShownEffect {
  id: string;
  name: string | null;
  /** The stay, place or device that it belongs to, unless that is among the fields. */
  belongsTo: string | null;
  fields: { name: string; before: unknown; after: unknown }[];
  /** The names of texts that change too, and are shown to nobody here. */
  withheld: string[];
  /** What it does, where its fields do not say it. */
  inWords: InWords | null;
}

/** The records to which the same would happen. */
export interface EffectGroup {
  title: string;
  total: number;
  /** Fewer than the total where the reader may not see some of them. */
  effects: ShownEffect[];
}

/** What a request sets, as stored, with its secrets masked. */
export interface Asked {
  fields: Readonly<Record<string, unknown>>;
  mask(this: void, fields: Fields): Fields;
  /** The names of the fields that people know of a record. */
  shownOf(this: void, id: string): ReadonlySet<string>;
}

/** Stamps that say nothing to a person. */
const unsaid = new Set(['id', 'version', 'createdAt', 'updatedAt', 'metadata', 'externalRefs', 'sequence']);

/** Effects that the person may read. */
export const readableBy =
  ({ permissions, propertyIds }: Caller) =>
  (one: Happening): boolean =>
    mayReadEvent(one, permissions) && (!propertyIds || propertyIds.includes(one.change.propertyId ?? ''));

/** Effects by what would happen, each as far as the person may read it. */
export function groupsOf(person: Caller, happened: readonly Happening[], asked: Asked): EffectGroup[] {
  const isReadable = readableBy(person);
  return [...Map.groupBy(happened, ({ type }) => type)].map(([type, all]) => ({
    title: wouldBe(eventTypes().get(type)?.description ?? type),
    total: all.length,
    effects: all.filter(isReadable).map((one) => shown(one, asked)),
  }));
}

function shown(one: Happening, asked: Asked): ShownEffect {
  const { target } = one.change;
  const told = shownChange(one);
  const untold = Object.values(asked.fields).includes(target.id) ? untoldOf(one, asked) : [];
  const [was, is] = [said(told.before), said(told.after)];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .map((name) => ({ name, before: was[name], after: is[name] }))
    .filter(({ name }) => !untold.some((other) => other.name === name))
    .concat(untold)
    .map(({ name, before, after }) => ({ name, before: tidy(before), after: tidy(after) }))
    .filter(({ before, after }) => !isNothing(before) || !isNothing(after));
  const belongsTo = [one.data.reservationId, one.data.deviceId, one.data.workflowId].find(Boolean) ?? null;
  return {
    id: target.id,
    name: (one.data.name as string | undefined) ?? null,
    belongsTo: fields.some(({ after }) => after === belongsTo) ? null : (belongsTo as string | null),
    fields,
    withheld: withheldFrom(
      one,
      [...Object.keys({ ...told.before, ...told.after }), ...untold.map(({ name }) => name)],
      asked,
    ),
    inWords: one.beside?.inWords ?? null,
  };
}

const said = (fields: Fields | null): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !unsaid.has(name)));

/**
 * Events do not say who a guest is, nor what is sealed; what the request itself sets of the record is shown before and
 * after anyway.
 */
function untoldOf({ changed: { before, after } }: Happening, { fields, mask }: Asked): ShownEffect['fields'] {
  if (!before || !after) return [];
  const set = Object.keys(fields).filter((name) => name in after && !isSameValue(before[name], after[name]));
  const [was, is] = [before, after].map((image) => plain(set, image, mask)) as [Fields, Fields];
  return set.map((name) => ({ name, before: was[name], after: is[name] }));
}

/** Events leave out texts about guests, such as notes. The person who decides about an undo sees which of them would change. */
function withheldFrom(
  { change: { target }, changed: { before, after } }: Happening,
  told: readonly string[],
  { fields, shownOf }: Asked,
): string[] {
  if (!before || !after) return [];
  const known = shownOf(target.id);
  const isSet = (name: string): boolean => Object.values(fields).includes(after[name]);
  const isWithheld = (name: string): boolean => isTextOrNull(before[name]) && isTextOrNull(after[name]) && !isSet(name);
  return Object.keys(after).filter((name) => known.has(name) && !told.includes(name) && isWithheld(name));
}

const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/** Bytes are stored encrypted. */
const plain = (names: readonly string[], image: Fields, mask: Asked['mask']): Fields =>
  mask(Object.fromEntries(names.map((name) => [name, image[name] instanceof Uint8Array ? masked : image[name]])));
