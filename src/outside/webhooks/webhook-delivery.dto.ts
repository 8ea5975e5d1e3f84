import { Id, Int, ListOf, ListOfObjects, ObjectOf, OneOf, OpenObject, PageOfTimes, Text, Timestamp } from '#operations';
import { ThisWebhookEndpoint } from './webhook-endpoint.dto.js';

export const deliveryStatuses = ['pending', 'succeeded', 'failed', 'withheld'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export class ListWebhookDeliveries extends PageOfTimes(['createdAt']) {
  @Id('endpoint', {
    description: 'Only deliveries to this endpoint (endpoint_…), from listWebhookEndpoints.',
    optional: true,
  })
  endpointId?: string;
  @Id('event', { description: 'Only deliveries of this event (event_…), from listEvents.', optional: true })
  eventId?: string;
  @OneOf(deliveryStatuses, { description: 'Only deliveries with this status.', optional: true })
  status?: DeliveryStatus;
}

export class ReplayWebhookDeliveries extends ThisWebhookEndpoint {
  @Id('event', {
    description: 'Event to send again (event_…), from listEvents; then omit the other fields.',
    optional: true,
  })
  eventId?: string;
  @Timestamp({ description: "Send again the endpoint's events at or after this time.", optional: true }) from?: string;
  @Timestamp({ description: 'End of the period; default: now.', optional: true }) to?: string;
  @ListOf({ text: 100 }, { description: 'Only events of these types.', optional: true, max: 100 })
  eventTypes?: string[];
}

export class ReplayView {
  @Id('endpoint', { description: 'Webhook endpoint id (endpoint_…), from listWebhookEndpoints.' }) endpointId: string;
  @Int({ description: 'Number of deliveries that were queued.', min: 0, max: 10_000 }) replayed: number;
}

export class DeliveryAttempt {
  @Timestamp({ description: 'When the attempt was made.' }) at: string;
  @Int({ description: 'Duration of the attempt in milliseconds.', min: 0, max: 1_000_000 }) durationMs: number;
  @Int({ description: 'HTTP status of the response.', optional: true, min: 100, max: 999 }) status?: number;
  @Text({ description: 'Why there was no response.', max: 500, optional: true }) error?: string;
}

export class DeliveryRequest {
  @Text({ description: 'Address of the request.', max: 2_048 }) url: string;
  @OpenObject({ description: 'Request headers, without the signature.' }) headers: Record<string, string>;
  @Text({ description: 'Request body; empty if you may not read the event.', min: 0, max: 1_000_000 }) body: string;
}

export class DeliveryResponse {
  @Int({ description: 'HTTP status of the response.', min: 100, max: 999 }) status: number;
  @Text({
    description: 'First 2,000 characters of the response body; empty if you may not read the event.',
    min: 0,
    max: 2_000,
  })
  body: string;
}

export class WebhookDeliveryView {
  @Id('delivery', { description: 'Delivery id (delivery_…).' }) id: string;
  @Id('endpoint', { description: 'Webhook endpoint id (endpoint_…).' }) endpointId: string;
  @Id('event', { description: 'Event id (event_…), sent as webhook-id.' }) eventId: string;
  @Text({ description: 'Event type.', max: 100 }) eventType: string;
  @OneOf(deliveryStatuses, {
    description: 'Status; withheld: the member that the endpoint is bound to may not read the event.',
  })
  status: DeliveryStatus;
  @ListOfObjects(() => DeliveryAttempt, { description: 'Delivery attempts.', max: 10 }) attempts: DeliveryAttempt[];
  @Timestamp({
    description: 'Time of the next attempt; later if an earlier event of the record must be sent first.',
    nullable: true,
  })
  nextAttemptAt: string | null;
  @ObjectOf(() => DeliveryRequest, { description: 'Last request.', nullable: true })
  request: DeliveryRequest | null;
  @ObjectOf(() => DeliveryResponse, { description: 'Last response.', nullable: true })
  response: DeliveryResponse | null;
  @Timestamp({ description: 'When the delivery was created.' }) createdAt: string;
  @Timestamp({ description: 'When the delivery succeeded or was given up.', nullable: true }) finishedAt: string | null;
}
