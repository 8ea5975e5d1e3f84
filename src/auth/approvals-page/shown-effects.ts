import type { Caller } from '#access';
import { eventTypes } from '../../platform/events/event-type.js';
import type { Happening } from '../../platform/events/happening.js';
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

/** Effects by what happens, each as far as the person may read it. */
export function groupsOf(happened: readonly Happening[], { permissions, propertyIds }: Caller): EffectGroup[] {
  const isReadable = (one: Happening): boolean =>
    mayReadEvent(one, permissions) && (!propertyIds || propertyIds.includes(one.change.propertyId ?? ''));
  return [...Map.groupBy(happened, ({ type }) => type)].map(([type, all]) => ({
    title: eventTypes().get(type)?.description ?? type,
    total: all.length,
    effects: all.filter(isReadable).map(shown),
  }));
}

function shown({ data, change: { target, before, after } }: Happening): ShownEffect {
  const [was, is] = [(before ?? {}) as Record<string, unknown>, (after ?? {}) as Record<string, unknown>];
  const fields = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    .filter((name) => !unsaid.has(name))
    .map((name) => ({ name, before: was[name], after: is[name] }))
    .filter((field) => !isNothing(field.before) || !isNothing(field.after));
  return { id: target.id, name: (data.name as string | undefined) ?? null, fields };
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
