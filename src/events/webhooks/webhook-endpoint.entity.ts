import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { EndpointStatus, WebhookEndpointView } from './webhook-endpoint.dto.js';

@Entity('webhook_endpoints')
export class WebhookEndpoint implements WebhookEndpointView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('endpoint') }) id: string;
  @Column('text') url: string;
  @Column('text', { nullable: true }) description: string | null;
  @Column('text', { array: true }) eventTypes: string[];
  @Column('uuid', { array: true, nullable: true, transformer: idColumn('property') }) propertyIds: string[] | null;
  @Column('text') status: EndpointStatus;
  @Column('timestamptz', { nullable: true }) failingSince: string | null;
  /** Sealed, and so is the one before, which signs beside it for a while after a rotation. */
  @Column('bytea') secret: Buffer;
  @Column('bytea', { nullable: true }) previousSecret: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

/** Binds a sealed secret to its endpoint. */
export const secretContext = (endpointId: string): string => `webhook:${endpointId}`;
