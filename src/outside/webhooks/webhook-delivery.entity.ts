import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { DeliveryAttempt, DeliveryRequest, DeliveryResponse, DeliveryStatus } from './webhook-delivery.dto.js';

/** One event on its way to one endpoint. Its body is rebuilt from the event for each attempt. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('delivery') }) id: string;
  @Column('uuid', { transformer: idColumn('endpoint') }) endpointId: string;
  @Column('uuid', { transformer: idColumn('event') }) eventId: string;
  @Column('text') eventType: string;
  @Column('text') status: DeliveryStatus;
  @Column('timestamptz') dueAt: string;
  @Column('jsonb') attempts: DeliveryAttempt[];
  @Column('jsonb', { nullable: true }) request: Omit<DeliveryRequest, 'body'> | null;
  @Column('jsonb', { nullable: true }) response: DeliveryResponse | null;
  @Column('timestamptz', { nullable: true }) finishedAt: string | null;
  @Column('timestamptz') createdAt: string;
}
