import { Id, Text } from '#operations';

export const longestName = 200;
export const mostReferences = 20;

/** The other system's name for a record of ours. */
export class ExternalRef {
  @Text({ description: 'Connection (connection_…).', max: 100 }) connectionId: string;
  @Text({ description: 'Id in the other system.', max: longestName }) externalId: string;
}

/** References are merged by connection: those of other connections stay. */
export class ExternalRefChange {
  @Text({ description: 'Connection (connection_…).', max: 100 }) connectionId: string;
  @Text({ description: 'Id in the other system; null removes it.', max: longestName, nullable: true }) externalId:
    | string
    | null;
}

/** A filter of lists: the record that a connection calls so, or all that it has a name for. */
export class ReferredTo {
  @Text({ description: 'Your id.', max: longestName, optional: true }) externalId?: string;
  @Id('connection', { description: 'Its connection (connection_…), from listConnections.', optional: true })
  connectionId?: string;
}

/** What references can point to. */
export type Referable = 'property' | 'unit_type' | 'unit' | 'guest' | 'reservation' | 'task' | 'device';

/** How their ids begin. */
export const prefixOf: Readonly<Record<Referable, string>> = {
  property: 'property',
  unit_type: 'unittype',
  unit: 'unit',
  guest: 'guest',
  reservation: 'reservation',
  task: 'task',
  device: 'device',
};

/** A new record, to which nothing refers yet. */
export const unreferred = (id: string): { id: string; externalRefs: ExternalRef[] } => ({ id, externalRefs: [] });
