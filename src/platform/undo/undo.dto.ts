import { Id, ListOf, ListOfObjects, ObjectOf, Text, Timestamp } from '#operations';
import { EventSubject } from '../callers/act.dto.js';

export const mostChanges = 500;
/** Including what followed from them, such as the tasks of stays. */
export const mostWithFollowing = 5_000;

export class UndoChanges {
  @Text({
    description: 'Your request to undo: its log id (request_…), or its X-Request-Id.',
    max: 200,
    optional: true,
  })
  requestId?: string;

  @ListOf(
    { id: 'audit' },
    {
      description: 'Changes to undo instead (audit_…), from listAuditEntries.',
      min: 1,
      max: mostChanges,
      optional: true,
    },
  )
  auditEntryIds?: string[];

  @Text({
    description: 'Application whose changes to undo instead (app_…), from listApplications.',
    max: 2_048,
    optional: true,
  })
  applicationId?: string;

  @Timestamp({
    description: 'With applicationId: undo its changes from this time on, at most 24 hours ago.',
    optional: true,
  })
  since?: string;
}

class ChangeRef {
  @Id('audit', { description: 'Audit entry of the change (audit_…).' }) auditEntryId: string;
  @ObjectOf(() => EventSubject, { description: 'Record that was changed.' }) target: EventSubject;
}

class RemainingChange {
  @Id('audit', { description: 'Audit entry of the change (audit_…); null for deliveries.', nullable: true })
  auditEntryId: string | null;
  @ObjectOf(() => EventSubject, { description: 'Record that was changed, webhook endpoint, or what was sent.' })
  target: EventSubject;
  @Text({ description: 'Why it was not undone.', max: 500 }) reason: string;
}

export class UndoneChangesView {
  @ListOfObjects(() => ChangeRef, { description: 'Changes that were undone, newest first.', max: mostChanges })
  undone: ChangeRef[];
  @ListOfObjects(() => RemainingChange, { description: 'Effects that cannot be undone, such as emails.', max: 1_000 })
  notUndoable: RemainingChange[];
}
