import { invalidField } from '#errors';
import { fieldsOf, one, type Output } from '#operations';
import type { Permission } from '../callers/permissions.js';
import type { HowUndone } from './undo.js';

/** Records of one kind that different permissions read: a field of the data names which. */
export interface ScopeByField {
  readonly field: string;
  /** The permission for each value of the field; records with other values are visible to nobody. */
  readonly scopes: ReadonlyMap<string, string>;
}

/**
 * How a type of event bears on its subject: `opening` is the first of a record that was created; `addition` is about
 * something new at a record, such as a comment; `change` is about a record that differs from before; `occurrence` is about
 * something that happened at a record, whether or not it changed; `ending` is the last of a record that was deleted.
 */
type EventKind = 'opening' | 'addition' | 'change' | 'occurrence' | 'ending';

interface EventTypeSpec<Data extends object, Kind extends EventKind> {
  /** The kind of record that it concerns, such as `task`. */
  subject: string;
  /** One sentence about what happened. */
  description: string;
  /** The permission to read the subject: the event is shown to those who have it, through every way out of the service. */
  scope: Permission | ScopeByField;
  /** The subject's data after the change: never a secret, and only the id of a guest. */
  data: new () => Data;
  kind: Kind;
  /**
   * Fields in which people may write about guests: the audit trail records that they changed, but not their content.
   */
  freeText?: readonly (keyof Data & string)[];
  /** How `undoChanges` undoes such a change, or why it cannot. */
  undo: HowUndone;
  /** The property of the event, which limits it to credentials for that property; `propertyId` when left out. */
  at?(this: void, data: Data): string | null;
}

/** A type of event is a value: what can happen, independent of when it does. */
export interface EventType<Data extends object = object, Kind extends EventKind = EventKind> extends Readonly<
  Required<Omit<EventTypeSpec<Data, Kind>, 'freeText'>>
> {
  readonly freeText: readonly string[];
  readonly name: string;
  readonly output: Output<Data>;
}

/** For a new record, which had no state before. */
export type NewType<Data extends object = object> = EventType<Data, 'opening' | 'addition'>;
/** For a record that existed before, and still does. */
export type ChangeType<Data extends object = object> = EventType<Data, 'change' | 'occurrence'>;
/** For a record that is gone. */
export type EndingType<Data extends object = object> = EventType<Data, 'ending'>;

const known = new Map<string, EventType>();

/** `<resource>.<past_tense>`, a `change` unless it says otherwise. Declared at module level, so that the catalogue is complete. */
export function event<Data extends object, Kind extends EventKind = 'change'>(
  name: `${string}.${string}`,
  {
    kind = 'change' as Kind,
    freeText = [],
    at = propertyIdOf,
    ...spec
  }: Omit<EventTypeSpec<Data, Kind>, 'kind'> & { kind?: Kind },
): EventType<Data, Kind> {
  if (known.has(name)) throw new Error(`The event ${name} is declared twice`);
  const type: EventType<Data, Kind> = Object.freeze({ ...spec, kind, freeText, at, name, output: one(spec.data) });
  known.set(name, type);
  return type;
}

/** Every type of event by its name: the catalogue that OpenAPI and webhook endpoints choose from. */
export const eventTypes = (): ReadonlyMap<string, EventType> => known;

/** @throws validation_error if a field names something other than a type of event or one of `alsoAllowed`. */
export function refuseUnknownTypes(field: string, types: readonly string[], alsoAllowed: readonly string[] = []): void {
  const unknown = types.findIndex((type) => !known.has(type) && !alsoAllowed.includes(type));
  if (unknown >= 0) throw unknownEventType(field, unknown);
}

const unknownEventType = (field: string, index: number) =>
  invalidField([field, index], 'Unknown event type. Take types from the webhooks of /openapi.json.');

const propertyIdOf = (data: object): string | null => (data as { propertyId?: string | null }).propertyId ?? null;

/** The name of a record's kind in events, from its id, such as `api_key` for `key_…`. */
export const subjectOf = (id: string): string => {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  for (const { subject, data } of known.values()) {
    const field = fieldsOf(data).find(({ name }) => name === 'id');
    if (field?.schema['x-id'] === prefix) return subject;
  }
  return prefix;
};
