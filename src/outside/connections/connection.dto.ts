import {
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOfObjects,
  Metadata,
  ObjectOf,
  OneOf,
  OpenObject,
  PageOf,
  PartialType,
  Text,
  Timestamp,
} from '#operations';

export const connectionKinds = ['device', 'pms'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

export const connectionStatuses = ['connecting', 'connected', 'degraded', 'disconnected'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** How the provider identifies us: short texts under names that the provider chooses. */
export type Credentials = Record<string, string>;

class ConnectionFields {
  @Text({ description: 'Name of the connection.', max: 200 })
  name: string;

  @Metadata({
    description: 'Credentials for the provider, replaced as a whole; stored encrypted and never returned.',
    optional: true,
    secret: 'value',
  })
  credentials?: Credentials;

  @OpenObject({
    description:
      'Provider settings, replaced as a whole. ical: url, propertyId, unitId. push: ownsOverlaps, fields, credentialIds, propertyId. Devices: propertyId; seam also endpoint; zigbee2mqtt also url and baseTopic.',
    optional: true,
    secret: 'addresses',
    example: {
      url: 'https://calendar.example.com/stays.ics',
      propertyId: 'property_0198c0de5eed7a11b0a7c0ffee123456',
    },
  })
  settings?: Record<string, unknown>;
}

export class CreateConnection extends ConnectionFields {
  @Text({ description: 'Provider, such as ical or simulator.', max: 50, example: 'ical' })
  provider: string;

  @OneOf(connectionKinds, { description: 'Kind of system.', example: 'pms' })
  kind: ConnectionKind;
}

export class ThisConnection {
  @Id('connection', { description: 'Connection id (connection_…), from listConnections.' }) connectionId: string;
}

export class DisconnectConnection extends ThisConnection {
  @Flag({
    description:
      'Disconnect although the connection has access codes, which stay in the locks if they are set, or stays to cancel.',
    optional: true,
  })
  force?: boolean;

  @OneOf(['keep', 'cancel'], {
    description: 'push: what happens to its stays; cancel cancels future ones, with force; default: keep.',
    optional: true,
  })
  stays?: 'keep' | 'cancel';
}

export class UpdateConnection extends IntersectionType(ThisConnection, PartialType(ConnectionFields)) {}

export class ListConnections extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @Text({ description: 'Only connections to this provider.', max: 50, optional: true }) provider?: string;
  @OneOf(connectionKinds, { description: 'Only connections of this kind.', optional: true }) kind?: ConnectionKind;
  @OneOf(connectionStatuses, { description: 'Only connections with this status.', optional: true })
  status?: ConnectionStatus;
  @Id('property', {
    description: 'Only connections of this property (property_…), from listProperties.',
    optional: true,
  })
  propertyId?: string;
}

const most = 2_147_483_647;

/** A sync's effect on the records that the connection brings. */
export class SyncCounts {
  @Int({ description: 'Number of created records.', min: 0, max: most }) created: number;
  @Int({ description: 'Number of changed records.', min: 0, max: most }) updated: number;
  @Int({ description: 'Number of cancelled records.', min: 0, max: most }) cancelled: number;
  @Int({ description: 'Number of unchanged records.', min: 0, max: most }) unchanged: number;
}

/** What a sync in progress has done so far. */
export class SyncProgress extends SyncCounts {
  @Timestamp({ description: 'When the sync started.' }) startedAt: string;
  @Int({
    description: 'Number of remaining records; null until the provider has responded.',
    min: 0,
    max: most,
    nullable: true,
  })
  left: number | null;
}

export class ConnectionError {
  @Timestamp({ description: 'When the error occurred.' }) occurredAt: string;
  @Text({ description: 'What is wrong and what to do about it.', max: 500 }) message: string;
}

/** Fields that only some providers' connections have. Only getConnection shows them. */
export class ConnectionDetails {
  @OpenObject({
    description: 'Simulator only: number of commands that contacted each device, and number that took effect.',
    optional: true,
  })
  simulator?: Record<string, { contacts: number; effects: number }>;

  @Text({
    description: "Address for the provider's webhooks, present once the credentials contain the webhook secret.",
    max: 2_000,
    optional: true,
  })
  webhookUrl?: string;
}

export class ConnectionView extends ConnectionDetails {
  @Id('connection', { description: 'Connection id (connection_…).' }) id: string;
  @Text({ description: 'Provider.', max: 50 }) provider: string;
  @OneOf(connectionKinds, { description: 'Kind of system.' }) kind: ConnectionKind;
  @Text({ description: 'Name of the connection.', max: 200 }) name: string;
  @Id('property', { description: 'Property of the connection (property_…), if it has one.', nullable: true })
  propertyId: string | null;
  @OpenObject({ description: 'Provider settings.' }) settings: Record<string, unknown>;
  @OneOf(connectionStatuses, { description: 'Status of the connection.' }) status: ConnectionStatus;
  @Text({ description: 'Why the connection is degraded.', max: 500, nullable: true }) reason: string | null;
  @Timestamp({ description: 'When the last successful sync ended.', nullable: true }) lastSyncAt: string | null;
  @ObjectOf(() => SyncCounts, { description: 'Results of that sync.', nullable: true }) lastSync: SyncCounts | null;
  @ObjectOf(() => SyncProgress, {
    description: 'Progress of the current sync; null if none is running.',
    nullable: true,
  })
  currentSync: SyncProgress | null;
  @Timestamp({ description: 'When the next sync is due.', nullable: true }) nextSyncAt: string | null;
  @ListOfObjects(() => ConnectionError, { description: 'Latest errors, newest first.', max: 5 })
  errors: ConnectionError[];
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: most }) version: number;
  @Timestamp({ description: 'When the connection was created.' }) createdAt: string;
  @Timestamp({ description: 'When the connection was last changed.' }) updatedAt: string;
}
