import { conflict, forbidden, invalidField, notFound, type ServiceError, shaped } from '#errors';
import { type Blocker, NotUndoableDetails, RequestIdsDetails } from './undo-details.dto.js';

export const notUndoable = (entries: readonly Blocker[]): ServiceError =>
  conflict(
    'NOT_UNDOABLE',
    'Nothing was undone, because some changes cannot be undone. details.entries lists the reasons.',
    shaped(NotUndoableDetails, { entries }),
  );

export const requestIdAmbiguous = (requestIds: readonly string[]): ServiceError =>
  conflict(
    'REQUEST_ID_AMBIGUOUS',
    'Several of your requests have this X-Request-Id. Pass the log id of one of them, from details.requestIds.',
    shaped(RequestIdsDetails, { requestIds }),
  );

export const tooManyChanges = (most: number): ServiceError =>
  conflict(
    'TOO_MANY_CHANGES',
    `At most ${most} changes can be undone by one request. Pass the auditEntryIds of some of them.`,
  );

export const noSuchChanges = (): ServiceError =>
  notFound('changes', 'Pass one of your own requests that changed something, or ids (audit_…) from listAuditEntries.');

export const oneSelection = (): ServiceError =>
  invalidField([], 'Pass one of requestId, auditEntryIds, or applicationId with since.');

export const sinceTooEarly = (): ServiceError =>
  invalidField(['since'], 'Pass a time within the last 24 hours. Use auditEntryIds for earlier changes.');

export const lacksPermission = (scope: string): ServiceError =>
  forbidden(`Missing permission ${scope} for undoChanges: what it would undo needs it.`);
