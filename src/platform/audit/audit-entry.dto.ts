import { Id, Int, ObjectOf, OneOf, OpenObject, Pattern, Text, Timestamp } from '#operations';
import { ActorCredential, EventSubject } from '../callers/act.dto.js';

const auditActorTypes = ['member', 'user', 'application', 'operator', 'service'] as const;

export class AuditActor {
  @OneOf(auditActorTypes, {
    description:
      'member; user: a person in their account; application; operator: at the command line; service: the service itself.',
  })
  type: (typeof auditActorTypes)[number];
  @Text({ description: 'Id of the actor; absent for operators and the service.', max: 2_048, optional: true })
  id?: string;
}

export class AuditSeal {
  @Int({ description: 'Position in the chain, starting at 1.', min: 1, max: Number.MAX_SAFE_INTEGER })
  position: number;
  @Pattern({
    description: 'Hash of this entry and the previous one, in hexadecimal.',
    pattern: /^[0-9a-f]{64}$/,
    max: 64,
    message: 'Pass 64 hexadecimal digits.',
    example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  })
  hash: string;
}

export class AuditEntryView {
  @Id('audit', { description: 'Entry id (audit_…).' }) id: string;
  @ObjectOf(() => AuditActor, { description: 'Who made the change.' }) actor: AuditActor;
  @ObjectOf(() => ActorCredential, { description: 'Credential that was used.', nullable: true })
  credential: ActorCredential | null;
  @Id('user', { description: 'Person that an application acted for (user_…).', nullable: true }) onBehalfOf:
    | string
    | null;
  @Text({
    description: 'Operation; or ops and a command; or the type of a later event that follows from one.',
    max: 100,
    example: 'createTask',
  })
  action: string;
  @ObjectOf(() => EventSubject, { description: 'Record that was changed.' }) target: EventSubject;
  @Id('property', { description: 'Property of the record (property_…).', nullable: true }) propertyId: string | null;
  @OpenObject({ description: 'Changed fields before the change; null if the record was created.', nullable: true })
  before: object | null;
  @OpenObject({ description: 'Changed fields after the change; null if the record was deleted.', nullable: true })
  after: object | null;
  @Text({ description: 'X-Request-Id of the request.', max: 200, nullable: true }) requestId: string | null;
  @Id('request', {
    description: "Log id of the request (request_…), as in the service's log; absent if no request made the change.",
    optional: true,
  })
  logId?: string;
  @Id('audit', { description: 'Entry that this one undoes (audit_…); absent otherwise.', optional: true })
  undoes?: string;
  @Id('approval', { description: 'Approval by a person (approval_…).', optional: true })
  approvalId?: string;
  @Timestamp({ description: 'When the change was made.' }) createdAt: string;
  @ObjectOf(() => AuditSeal, {
    description: 'Seal of the entry; null for a few seconds until it is sealed.',
    nullable: true,
  })
  seal: AuditSeal | null;
}

/** Filters of the entries. */
export class AuditFilters {
  @Text({ description: 'Only changes by this member, person or application.', max: 2_048, optional: true })
  actor?: string;
  @Text({ description: 'Only this action, such as createTask.', max: 100, optional: true }) action?: string;
  @Text({ description: 'Only changes to this kind of record, such as task.', max: 60, optional: true })
  targetType?: string;
  @Text({
    description: 'Only changes to the record with this id (such as task_…), from the list of its kind.',
    max: 2_048,
    optional: true,
  })
  targetId?: string;
  @Text({
    description: 'Only changes made by the request with this X-Request-Id, from listRequests.',
    max: 200,
    optional: true,
  })
  requestId?: string;
  @Timestamp({ description: 'Only changes at or after this time.', optional: true }) from?: string;
  @Timestamp({ description: 'Only changes before this time.', optional: true }) to?: string;
}

export class ListAuditEntries extends AuditFilters {
  @Int({ description: 'Maximum number; default: 20.', optional: true, min: 1, max: 100 })
  limit?: number;
  @Text({
    description: 'meta.pagination.nextCursor of the previous page; the filters must stay the same.',
    optional: true,
    max: 500,
  })
  cursor?: string;
}

export class ExportAuditEntries extends AuditFilters {
  @Int({
    description: 'Maximum number of results; default: all over REST, 100 as a tool.',
    optional: true,
    min: 1,
    max: 1_000,
  })
  limit?: number;
  @Text({ description: 'meta.pagination.nextCursor of the previous page.', optional: true, max: 500 }) cursor?: string;
}
