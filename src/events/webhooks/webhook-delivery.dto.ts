import { OpenObject, Id, Int, ListOf, ListOfObjects, ObjectOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import { ThisWebhookEndpoint } from './webhook-endpoint.dto.js';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'withheld'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export class ListWebhookDeliveries extends PageOf(['createdAt']) {
  @Id('endpoint', { about: 'Only deliveries to this endpoint.', optional: true }) endpointId?: string;
  @Id('event', { about: 'Only deliveries of this event.', optional: true }) eventId?: string;
  @OneOf(deliveryStatuses, { about: 'Only deliveries of this status.', optional: true }) status?: DeliveryStatus;
}

export class ReplayWebhookDeliveries extends ThisWebhookEndpoint {
  @Id('event', { about: 'One event to send again; leave the others out then.', optional: true }) eventId?: string;
  @Timestamp({ about: 'All events from this time on that the endpoint chose.', optional: true }) from?: string;
  @Timestamp({ about: 'Before this time; until now when left out.', optional: true }) to?: string;
  @ListOf({ text: 100 }, { about: 'Only events of these types.', optional: true, max: 100 }) eventTypes?: string[];
}

export class ReplayView {
  @Id('endpoint', { about: 'The webhook endpoint.' }) endpointId: string;
  @Int({ about: 'How many deliveries were made, to be sent at once.', min: 0, max: 10_000 }) replayed: number;
}

export class DeliveryAttempt {
  @Timestamp({ about: 'When it was sent.' }) at: string;
  @Int({ about: 'How long it took.', min: 0, max: 1_000_000 }) durationMs: number;
  @Int({ about: 'The status of the answer.', optional: true, min: 100, max: 999 }) status?: number;
  @Text({ about: 'Why there was no answer.', max: 500, optional: true }) error?: string;
}

export class DeliveryRequest {
  @Text({ about: 'Where it was sent.', max: 2_048 }) url: string;
  @OpenObject({ about: 'The headers, without the signature.' }) headers: Record<string, string>;
  @Text({ about: 'The body; empty where you may not read the event.', min: 0, max: 1_000_000 }) body: string;
}

export class DeliveryResponse {
  @Int({ about: 'The status.', min: 100, max: 999 }) status: number;
  @Text({
    about: 'The first 2,000 characters of the body; empty where you may not read the event.',
    min: 0,
    max: 2_000,
  })
  body: string;
}

export class WebhookDeliveryView {
  @Id('delivery', { about: 'The delivery.' }) id: string;
  @Id('endpoint', { about: 'The endpoint that it goes to.' }) endpointId: string;
  @Id('event', { about: 'The event; also its webhook-id.' }) eventId: string;
  @Text({ about: 'The type of the event.', max: 100 }) eventType: string;
  @OneOf(deliveryStatuses, {
    about: 'What became of it; withheld: the member that the endpoint is bound to may not read the event.',
  })
  status: DeliveryStatus;
  @ListOfObjects(() => DeliveryAttempt, { about: 'Each time it was sent.', max: 10 }) attempts: DeliveryAttempt[];
  @Timestamp({
    about: 'When it is sent next; later where an earlier event of the subject comes first.',
    nullable: true,
  })
  nextAttemptAt: string | null;
  @ObjectOf(() => DeliveryRequest, { about: 'What was sent last.', nullable: true }) request: DeliveryRequest | null;
  @ObjectOf(() => DeliveryResponse, { about: 'What was answered last.', nullable: true })
  response: DeliveryResponse | null;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it succeeded or was given up.', nullable: true }) finishedAt: string | null;
}
