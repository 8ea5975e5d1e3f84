import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOfObjects, Metadata, ObjectOf, OneOf, OpenObject, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const connectionKinds = ['device', 'pms'] as const;
export type ConnectionKind = (typeof connectionKinds)[number];

export const connectionStatuses = ['connecting', 'connected', 'degraded', 'disconnected'] as const;
export type ConnectionStatus = (typeof connectionStatuses)[number];

/** What a provider knows us by: short texts under names of its own. */
export type Credentials = Record<string, string>;

class ConnectionFields {
  @Text({ about: 'What the connection is called.', max: 200 })
  name: string;

  @Metadata({ about: 'What the provider knows us by, replaced whole; kept encrypted and never shown.', optional: true })
  credentials?: Credentials;

  @OpenObject({
    about:
      "The provider's settings, replaced whole; ical takes url, propertyId and unitId, devices propertyId; seam also endpoint, zigbee2mqtt url and baseTopic.",
    optional: true,
    example: {
      url: 'https://calendar.example.com/stays.ics',
      propertyId: 'property_0198c0de5eed7a11b0a7c0ffee123456',
    },
  })
  settings?: Record<string, unknown>;
}

export class CreateConnection extends ConnectionFields {
  @Text({ about: 'Which provider, such as ical or simulator.', max: 50, example: 'ical' })
  provider: string;

  @OneOf(connectionKinds, { about: 'What it connects.', example: 'pms' })
  kind: ConnectionKind;
}

export class ThisConnection {
  @Id('connection', { about: 'The connection.' }) connectionId: string;
}

export class DisconnectConnection extends ThisConnection {
  @Flag({
    about: 'Disconnect although access codes are at its devices or to come; nobody takes them back any more.',
    optional: true,
  })
  force?: boolean;
}

export class UpdateConnection extends IntersectionType(
  ThisConnection,
  PartialType(ConnectionFields, { skipNullProperties: false }),
) {}

export class ListConnections extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @Text({ about: 'Only of this provider.', max: 50, optional: true }) provider?: string;
  @OneOf(connectionKinds, { about: 'Only of this kind.', optional: true }) kind?: ConnectionKind;
  @OneOf(connectionStatuses, { about: 'Only of this status.', optional: true }) status?: ConnectionStatus;
  @Id('property', { about: 'Only those of this property.', optional: true }) propertyId?: string;
}

const most = 2_147_483_647;

/** What a sync did to the records that the connection brings. */
export class SyncCounts {
  @Int({ about: 'How many were made.', min: 0, max: most }) created: number;
  @Int({ about: 'How many changed.', min: 0, max: most }) updated: number;
  @Int({ about: 'How many were cancelled.', min: 0, max: most }) cancelled: number;
  @Int({ about: 'How many stayed as they were.', min: 0, max: most }) unchanged: number;
}

export class ConnectionError {
  @Timestamp({ about: 'When it happened.' }) occurredAt: string;
  @Text({ about: 'What went wrong.', max: 500 }) message: string;
}

/** What only some providers' connections show, and getConnection alone. */
export class ConnectionDetails {
  @OpenObject({
    about: 'Of the simulator: how often each of its devices was contacted by a command, and how often one took effect.',
    optional: true,
  })
  simulator?: Record<string, { contacts: number; effects: number }>;

  @Text({
    about: 'Where the provider is to post what happens, once it knows the secret that is among the credentials.',
    max: 2_000,
    optional: true,
  })
  webhookUrl?: string;
}

export class ConnectionView extends ConnectionDetails {
  @Id('connection', { about: 'The connection.' }) id: string;
  @Text({ about: 'Which provider.', max: 50 }) provider: string;
  @OneOf(connectionKinds, { about: 'What it connects.' }) kind: ConnectionKind;
  @Text({ about: 'What the connection is called.', max: 200 }) name: string;
  @Id('property', { about: 'The property that it is for, where it is for one.', nullable: true }) propertyId:
    | string
    | null;
  @OpenObject({ about: "The provider's settings." }) settings: Record<string, unknown>;
  @OneOf(connectionStatuses, { about: 'How it stands.' }) status: ConnectionStatus;
  @Text({ about: 'Why it is degraded.', max: 500, nullable: true }) reason: string | null;
  @Timestamp({ about: 'When it was last in step.', nullable: true }) lastSyncAt: string | null;
  @ObjectOf(() => SyncCounts, { about: 'What that sync did.', nullable: true }) lastSync: SyncCounts | null;
  @Timestamp({ about: 'When it is synced next.', nullable: true }) nextSyncAt: string | null;
  @ListOfObjects(() => ConnectionError, { about: 'The last errors, newest first.', max: 5 }) errors: ConnectionError[];
  @Int({ about: 'Rises with every change.', min: 1, max: most }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
