import { invalidField } from '#errors';
import { fieldsOf, one, type Output } from '#operations';
import type { Permission } from '../../organizations/permissions.js';

/** Records of one kind that different permissions read: a field of the data names which. */
export interface ScopeByField {
  readonly field: string;
  /** The permission for each value of the field; a value that is not in here is shown to nobody. */
  readonly scopes: ReadonlyMap<string, string>;
}

/**
 * How a type of event bears on its subject: `opening` is the first of a record that was created; `addition` is about
 * something new at a record, such as a comment; `change` is about a record that differs from before; `occurrence` is about
 * something that happened at a record, whether or not it changed; `ending` is the last of a record that was deleted.
 */
type Telling = 'opening' | 'addition' | 'change' | 'occurrence' | 'ending';

interface EventTypeSpec<Data extends object, Tells extends Telling> {
  /** What it happens to, such as `task`. */
  subject: string;
  /** One sentence about what happened. */
  says: string;
  /** The permission to read the subject: the event is shown to those who have it, through every way out of the service. */
  scope: Permission | ScopeByField;
  /** What is told of the subject as it is afterwards: never a secret, and of a guest nothing but the id. */
  data: new () => Data;
  tells: Tells;
  /** Fields in which people may write about guests: the audit trail tells that they changed, and not what they say. */
  freeText?: readonly (keyof Data & string)[];
  /** The property where it happens, by which restricted credentials are kept to theirs; `propertyId` when left out. */
  at?(this: void, data: Data): string | null;
}

/** A type of event is a value: what can happen, apart from when it does. */
export interface EventType<Data extends object = object, Tells extends Telling = Telling> extends Readonly<
  Required<Omit<EventTypeSpec<Data, Tells>, 'freeText'>>
> {
  readonly freeText: readonly string[];
  readonly name: string;
  readonly output: Output<Data>;
}

/** Of something new, which was nothing before. */
export type NewType<Data extends object = object> = EventType<Data, 'opening' | 'addition'>;
/** Of a record that was there before, and still is. */
export type ChangeType<Data extends object = object> = EventType<Data, 'change' | 'occurrence'>;
/** Of a record that is gone. */
export type EndingType<Data extends object = object> = EventType<Data, 'ending'>;

const known = new Map<string, EventType>();

/** `<resource>.<past_tense>`, a `change` unless it says otherwise. Declared at module level, so that the catalogue is complete. */
export function event<Data extends object, Tells extends Telling = 'change'>(
  name: `${string}.${string}`,
  {
    tells = 'change' as Tells,
    freeText = [],
    at = propertyIdOf,
    ...spec
  }: Omit<EventTypeSpec<Data, Tells>, 'tells'> & { tells?: Tells },
): EventType<Data, Tells> {
  if (known.has(name)) throw new Error(`The event ${name} is declared twice`);
  const type: EventType<Data, Tells> = Object.freeze({ ...spec, tells, freeText, at, name, output: one(spec.data) });
  known.set(name, type);
  return type;
}

/** Every type of event by its name: the catalogue that OpenAPI and webhook endpoints choose from. */
export const eventTypes = (): ReadonlyMap<string, EventType> => known;

/** @throws validation_error where a field names what is neither a type of event nor something `besides` them. */
export function refuseUnknownTypes(field: string, types: readonly string[], besides: readonly string[] = []): void {
  const unknown = types.findIndex((type) => !known.has(type) && !besides.includes(type));
  if (unknown >= 0) throw unknownEventType(field, unknown);
}

const unknownEventType = (field: string, index: number) =>
  invalidField([field, index], 'There is no such event; take types from the webhooks of /openapi.json.');

const propertyIdOf = (data: object): string | null => (data as { propertyId?: string | null }).propertyId ?? null;

/** What the record with an id is called in events, such as `api_key` for `key_…`. */
export const subjectOf = (id: string): string => {
  const prefix = id.slice(0, id.lastIndexOf('_'));
  for (const { subject, data } of known.values()) {
    const field = fieldsOf(data).find(({ name }) => name === 'id');
    if (field?.schema['x-id'] === prefix) return subject;
  }
  return prefix;
};
