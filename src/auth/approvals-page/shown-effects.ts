import type { Caller } from '#access';
import { eventTypes } from '../../platform/events/event-type.js';
import { type Happening, shownChange } from '../../platform/events/happening.js';
import type { Fields, Images } from '../../platform/events/images.js';
import { mayReadEvent } from '../../platform/events/readable-events.js';

/** One record that would change. */
export interface ShownEffect {
  id: string;
  name: string | null;
  fields: { name: string; before: unknown; after: unknown }[];
}

/** The records to which the same would happen. */
export interface EffectGroup {
  title: string;
  total: number;
  /** Fewer than the total where the reader may not see some of them. */
  effects: ShownEffect[];
}

/** Stamps that say nothing to a person. */
const unsaid = new Set(['id', 'version', 'createdAt', 'updatedAt', 'metadata', 'externalRefs', 'sequence']);

/**
 * Effects by what happens, each as far as the person may read it.
 *
 * @param asked what the request sets.
 */
export function groupsOf(
  { permissions, propertyIds }: Caller,
  happened: readonly Happening[],
  asked: Readonly<Record<string, unknown>>,
): EffectGroup[] {
  const isReadable = (one: Happening): boolean =>
    mayReadEvent(one, permissions) && (!propertyIds || propertyIds.includes(one.change.propertyId ?? ''));
  return [...Map.groupBy(happened, ({ type }) => type)].map(([type, all]) => ({
    title: eventTypes().get(type)?.description ?? type,
    total: all.length,
    effects: all.filter(isReadable).map((one) => shown(one, asked)),
  }));
}

function shown(one: Happening, asked: Readonly<Record<string, unknown>>): ShownEffect {
  const { target } = one.change;
  const { before, after } = shownChange(one);
  const untold = Object.values(asked).includes(target.id) ? untoldOf(one, Object.keys(asked)) : {};
  const [was, is] = [
    { ...untold.before, ...before },
    { ...untold.after, ...after },
  ];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !unsaid.has(name))
    .map((name) => ({ name, before: was[name], after: is[name] }))
    .filter((field) => !isNothing(field.before) || !isNothing(field.after));
  return { id: target.id, name: (one.data.name as string | undefined) ?? null, fields };
}

/** Events do not say who a guest is; what the request itself sets of the record is shown before and after anyway. */
function untoldOf({ changed }: Happening, asked: readonly string[]): Partial<Images> {
  const plain = (fields: Fields | null): Fields =>
    Object.fromEntries(asked.flatMap((name) => (isPlain(fields?.[name]) ? [[name, fields?.[name]]] : [])));
  return { before: plain(changed.before), after: plain(changed.after) };
}

/** Bytes are stored encrypted. */
const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
