import { Id, ListOf, ListOfObjects, Text } from '#operations';

/** Why a change was not undone. */
export class Blocker {
  @Id('audit', { description: 'Audit entry of the change.' }) readonly auditEntryId: string;
  @Text({ description: 'Why it cannot be undone.', max: 1_000 }) readonly reason: string;
}

export class NotUndoableDetails {
  @ListOfObjects(() => Blocker, { description: 'Changes that cannot be undone.', max: 1_000 })
  entries: readonly Blocker[];
}

export class RequestIdsDetails {
  @ListOf({ text: 100 }, { description: 'Log ids of these requests.', max: 100 }) requestIds: readonly string[];
}
