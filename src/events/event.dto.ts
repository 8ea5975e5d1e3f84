import { OpenObject, Id, Int, ListOf, ObjectOf, OneOf, Text, Timestamp } from '#operations';

export const actorTypes = ['member', 'service'] as const;
const credentialKinds = ['api-key', 'oauth', 'workflow'] as const;

export class ActorCredential {
  @OneOf(credentialKinds, { about: 'An API key, what a person approved for an application, or a workflow.' })
  kind: (typeof credentialKinds)[number];
  @Text({ about: 'The key, the approval, or the workflow.', max: 100 }) id: string;
  @Text({ about: 'The application that acted for a person.', max: 2_048, optional: true }) clientId?: string;
  @Id('run', { about: 'The run of the workflow.', optional: true }) runId?: string;
}

export class Actor {
  @OneOf(actorTypes, { about: 'A member, or the service itself.' }) type: (typeof actorTypes)[number];
  @Id('member', { about: 'The member.', optional: true }) id?: string;
  @ObjectOf(() => ActorCredential, { about: 'What the member acted through.', optional: true })
  credential?: ActorCredential;
}

export class EventSubject {
  @Text({ about: 'What kind of record.', max: 60, example: 'task' }) type: string;
  @Text({ about: 'Which one.', max: 100 }) id: string;
}

export class EventView {
  @Id('event', { about: 'The event; a delivery of it has the same webhook-id.' }) id: string;
  @Text({ about: 'What happened, such as task.created.', max: 100, example: 'task.created' }) type: string;
  @Int({
    about: 'Rises by one with every event of the subject; 1 is that it was made.',
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
  })
  sequence: number;
  @ObjectOf(() => EventSubject, { about: 'What it happened to.' }) subject: EventSubject;
  @ObjectOf(() => Actor, { about: 'Who did it.' }) actor: Actor;
  @OpenObject({ about: 'The subject as it was afterwards; the webhooks of this document describe it by type.' })
  data: object;
  @Timestamp({ about: 'When it happened.' }) occurredAt: string;
}

class EventFilters {
  @ListOf({ text: 100 }, { about: 'Only events of these types, such as task.created.', optional: true, max: 100 })
  types?: string[];

  @Text({ about: 'Only events of the record with this id.', max: 100, optional: true })
  subject?: string;
}

export class ListEvents extends EventFilters {
  @Int({ about: 'How many to answer at most; 20 when left out.', optional: true, min: 1, max: 100 })
  limit?: number;

  @Text({ about: 'The nextCursor of the page before; from 30 days ago when left out.', optional: true, max: 500 })
  cursor?: string;
}

export class StreamEvents extends EventFilters {
  @Id('event', {
    about: 'The last event that you have, as the Last-Event-ID header; from now when left out.',
    optional: true,
  })
  lastEventId?: string;
}
