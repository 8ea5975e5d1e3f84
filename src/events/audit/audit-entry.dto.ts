import { Id, Int, ObjectOf, OneOf, OpenObject, Pattern, Text, Timestamp } from '#operations';
import { ActorCredential, EventSubject } from '../event.dto.js';

const auditActorTypes = ['member', 'user', 'application', 'operator', 'service'] as const;

export class AuditActor {
  @OneOf(auditActorTypes, {
    about: 'A member; a person at their account; an application; an operator at the command line; the service itself.',
  })
  type: (typeof auditActorTypes)[number];
  @Text({ about: 'Which one; absent for operators and the service.', max: 2_048, optional: true }) id?: string;
}

export class AuditSeal {
  @Int({ about: 'The place in the chain, counted from 1.', min: 1, max: Number.MAX_SAFE_INTEGER }) position: number;
  @Pattern({
    about: 'The hash over this entry and the one before, in hex.',
    pattern: /^[0-9a-f]{64}$/,
    max: 64,
    says: 'Give 64 hexadecimal digits.',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  hash: string;
}

export class AuditEntryView {
  @Id('audit', { about: 'The entry.' }) id: string;
  @ObjectOf(() => AuditActor, { about: 'Who did it.' }) actor: AuditActor;
  @ObjectOf(() => ActorCredential, { about: 'What it was done through.', nullable: true })
  credential: ActorCredential | null;
  @Id('user', { about: 'The person that an application acted for.', nullable: true }) onBehalfOf: string | null;
  @Text({
    about: "The operation's name; `ops` and a command; or the type of an event that comes of one later.",
    max: 100,
    example: 'createTask',
  })
  action: string;
  @ObjectOf(() => EventSubject, { about: 'What it was done to.' }) target: EventSubject;
  @Id('property', { about: 'The property where it was done.', nullable: true }) propertyId: string | null;
  @OpenObject({ about: 'What changed, as it was before; null where something was made.', nullable: true })
  before: object | null;
  @OpenObject({ about: 'What changed, as it was afterwards; null where something was deleted.', nullable: true })
  after: object | null;
  @Text({ about: 'The X-Request-Id of the request.', max: 200, nullable: true }) requestId: string | null;
  @Id('request', {
    about: "The service's own id of the request, which its log lines carry too; absent where no request did it.",
    optional: true,
  })
  logId?: string;
  @Timestamp({ about: 'When it was done.' }) createdAt: string;
  @ObjectOf(() => AuditSeal, { about: 'Its seal; null for the seconds before it is sealed.', nullable: true })
  seal: AuditSeal | null;
}

/** What can be chosen of the entries. */
export class AuditFilters {
  @Text({ about: 'Only what this member, person or application did.', max: 2_048, optional: true }) actor?: string;
  @Text({ about: 'Only this action, such as createTask.', max: 100, optional: true }) action?: string;
  @Text({ about: 'Only what was done to this kind of record, such as task.', max: 60, optional: true })
  targetType?: string;
  @Text({ about: 'Only what was done to the record with this id.', max: 2_048, optional: true }) targetId?: string;
  @Text({ about: 'Only what this request did.', max: 200, optional: true }) requestId?: string;
  @Timestamp({ about: 'Only from this time on.', optional: true }) from?: string;
  @Timestamp({ about: 'Only before this time.', optional: true }) to?: string;
}

export class ListAuditEntries extends AuditFilters {
  @Int({ about: 'How many to answer at most; 20 when left out.', optional: true, min: 1, max: 100 }) limit?: number;
  @Text({ about: 'The nextCursor of the page before.', optional: true, max: 500 }) cursor?: string;
}

export class ExportAuditEntries extends AuditFilters {
  @Int({ about: 'How many at most; when left out all over REST, 100 as a tool.', optional: true, min: 1, max: 1_000 })
  limit?: number;
  @Text({ about: 'The nextCursor of the page before.', optional: true, max: 500 }) cursor?: string;
}
