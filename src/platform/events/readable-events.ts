import type { Caller } from '#access';
import { type EventType, eventTypes, type ScopeByField } from './event-type.js';
import { eventsNotReadable } from './events.errors.js';

/** The reader of events. Permissions are null if the service itself reads, which sees every event. */
export interface EventReader extends Pick<Caller, 'orgId' | 'propertyIds'> {
  readonly permissions: ReadonlySet<string> | null;
}

/** The service itself, in one organization. */
export const everything = (orgId: string): EventReader => ({ orgId, propertyIds: null, permissions: null });

/** What some permissions read, as conditions of a statement. */
export interface ReadableEvents {
  /** The types; undefined for all of them. */
  types?: string[];
  /** Of some types only the events whose data have one of these values in a field. */
  partly: { types: string[]; field: string; values: string[] }[];
}

type Permissions = ReadonlySet<string>;

/** A stream uses the same set of permissions several times a second. */
const known = new WeakMap<Permissions, ReadableEvents>();

export function readableEvents(permissions: Permissions | null): ReadableEvents {
  if (!permissions) return { partly: [] };
  const found = known.get(permissions) ?? readableBy(permissions);
  known.set(permissions, found);
  return found;
}

function readableBy(permissions: Permissions): ReadableEvents {
  const all = [...eventTypes().values()];
  const types = all.filter((type) => isReadable(type, permissions));
  const isOfAll = types.length === all.length;
  return { ...(!isOfAll && { types: types.map(({ name }) => name) }), partly: partsOf(types, permissions) };
}

function partsOf(types: readonly EventType[], permissions: Permissions): ReadableEvents['partly'] {
  const byField = Map.groupBy(types, ({ scope }) => scope);
  const parts: ReadableEvents['partly'] = [];
  for (const [scope, ofScope] of byField) {
    if (typeof scope === 'string') continue;
    const values = valuesFor(scope, permissions);
    if (values.length < scope.scopes.size)
      parts.push({ types: ofScope.map(({ name }) => name), field: scope.field, values });
  }
  return parts;
}

const valuesFor = ({ scopes }: ScopeByField, permissions: Permissions): string[] =>
  [...scopes].filter(([, scope]) => permissions.has(scope)).map(([value]) => value);

/** Whether some permissions read events of a type: all of them, or those with some values. */
export const isReadable = ({ scope }: EventType, permissions: Permissions): boolean =>
  typeof scope === 'string' ? permissions.has(scope) : valuesFor(scope, permissions).length > 0;

/** Whether some permissions read one event. */
export function mayReadEvent({ type, data }: { type: string; data: object }, permissions: Permissions): boolean {
  return permissions.has(scopeOfEvent(type, data) ?? '');
}

/** The permission that one event requires; undefined if nobody may read it. */
export function scopeOfEvent(name: string, data: object): string | undefined {
  const scope = eventTypes().get(name)?.scope;
  if (!scope || typeof scope === 'string') return scope;
  return scope.scopes.get((data as Record<string, string>)[scope.field] ?? '');
}

/** The permissions that are missing for types of events, each once, in alphabetical order. */
export function missingFor(types: readonly string[], permissions: Permissions): string[] {
  const all = types.flatMap((name) => eventTypes().get(name) ?? []);
  const missing = all
    .filter((type) => !isReadable(type, permissions))
    .flatMap(({ scope }) => (typeof scope === 'string' ? scope : [...scope.scopes.values()]));
  return [...new Set(missing)].sort();
}

/**
 * Rejects a filter with a type that the caller may not read, because an empty result would look as if nothing had
 * happened. Without a filter the feed contains the events that the caller may read.
 *
 * @throws authorization_error with the missing permissions.
 */
export function refuseUnreadable({ permissions }: Caller, types: readonly string[]): void {
  const missing = missingFor(types, permissions);
  if (missing.length > 0) throw eventsNotReadable(missing);
}
