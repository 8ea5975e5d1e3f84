import { OpenObject, Id, Int, ListOf, ObjectOf, Text, Timestamp } from '#operations';
import { Actor, EventSubject } from '../callers/act.dto.js';

export class EventView {
  @Id('event', { description: 'Event id (event_…); deliveries send it as webhook-id.' }) id: string;
  @Text({ description: 'Event type, such as task.created.', max: 100, example: 'task.created' }) type: string;
  @Int({
    description: 'Number of the event of this record, starting at 1 with its creation.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  })
  sequence: number;
  @ObjectOf(() => EventSubject, { description: 'Record that the event is about.' }) subject: EventSubject;
  @ObjectOf(() => Actor, { description: 'Who caused the event.' }) actor: Actor;
  @OpenObject({ description: 'The record after the event; the webhooks of this document describe it by type.' })
  data: object;
  @Timestamp({ description: 'When the event occurred.' }) occurredAt: string;
}

class EventFilters {
  @ListOf({ text: 100 }, { description: 'Only events of these types, such as task.created.', optional: true, max: 100 })
  types?: string[];

  @Text({ description: 'Only events of the record with this id.', max: 100, optional: true })
  subject?: string;
}

export class ListEvents extends EventFilters {
  @Id('property', { description: 'Only events at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Text({
    description: 'Only events of the request with this X-Request-Id, in the last 7 days, from listRequests.',
    optional: true,
    max: 200,
  })
  requestId?: string;

  @Int({ description: 'Maximum number; default: 20.', optional: true, min: 1, max: 100 })
  limit?: number;

  @Text({
    description:
      'meta.pagination.nextCursor of the previous page, meta.feedCursor of any list, or latest for the end; default: 30 days ago.',
    optional: true,
    max: 500,
  })
  cursor?: string;

  @Timestamp({
    description: 'Only events that occurred at or after this time; not together with cursor.',
    optional: true,
  })
  from?: string;
}

export class StreamEvents extends EventFilters {
  @Id('event', {
    description:
      'Id of the last event that you received (event_…), from listEvents, as in the Last-Event-ID header; default: now.',
    optional: true,
  })
  lastEventId?: string;
}
