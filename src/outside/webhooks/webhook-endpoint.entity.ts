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
  /** The delivery status. */
  @Column('text', { name: 'status' }) health: EndpointStatus;
  @Column('timestamptz', { nullable: true }) failingSince: string | null;
  /** Both secrets are sealed. After a rotation, the previous one signs as well for a while. */
  @Column('bytea') secret: Buffer;
  @Column('bytea', { nullable: true }) previousSecret: Buffer | null;
  @Column('timestamptz', { nullable: true }) previousSecretUntil: string | null;
  /** The identity whose permissions decide what is sent: the member, and the key or application that they used. */
  @Column('uuid', { name: 'maker_member_id', nullable: true, transformer: idColumn('member') }) boundTo: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('key') }) makerKeyId: string | null;
  @Column('text', { nullable: true }) makerClientId: string | null;
  /** The permissions for the types that the maker had when they created or edited it. */
  @Column('text', { array: true }) scopes: string[];
  /** The permissions among these that the maker has lost. */
  @Column('text', { array: true }) missingScopes: string[];
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  get status(): EndpointStatus {
    return this.health === 'enabled' && this.missingScopes.length > 0 ? 'degraded' : this.health;
  }
}

/** Binds a sealed secret to its endpoint. */
export const secretContext = (endpointId: string): string => `webhook:${endpointId}`;
