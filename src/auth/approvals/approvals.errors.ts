import { cannotBeApplied, conflict, forbidden, recordNotFound, ServiceError, shaped } from '#errors';
import { ApprovalDetails, PendingDetails, RefusedDetails } from './approval-details.dto.js';
import type { ApprovalStatus } from './approval.dto.js';

export const approvalNotFound = recordNotFound('approval', 'listApprovals', 'approval');

export const forbiddenByRule = (operation: string) =>
  forbidden(
    `A rule of the organization does not let this credential call ${operation}. Its owners can change the rule.`,
    'FORBIDDEN_BY_RULE',
  );

export const mostPending = 20;

export const tooManyApprovals = () =>
  conflict(
    'TOO_MANY_APPROVALS',
    `${mostPending} requests of this credential are already waiting for approval. Withdraw some with withdrawApproval, or wait.`,
    shaped(PendingDetails, { pending: mostPending }),
  );

export const alreadyDecided = (status: ApprovalStatus) =>
  conflict('APPROVAL_DECIDED', `Only a pending approval can be withdrawn; this one is ${status}.`);

export const usedForAnother = () =>
  cannotBeApplied('This Idempotency-Key was used for a different request. Use a new key for a new request.');

export const approvalRefused = (approvalId: string, note: string | null) =>
  forbidden(
    'A person refused this request. Do not repeat it; ask them what to do instead.',
    'APPROVAL_REFUSED',
    shaped(RefusedDetails, {
      approvalId,
      ...(note !== null && { note }),
    }),
  );

export const approvalWithdrawn = (approvalId: string) =>
  forbidden(
    'This request was withdrawn. Use a new Idempotency-Key to ask again.',
    'APPROVAL_WITHDRAWN',
    shaped(ApprovalDetails, { approvalId }),
  );

export const approvalExpired = (approvalId: string) =>
  forbidden(
    'Nobody decided in time. Use a new Idempotency-Key to ask again.',
    'APPROVAL_EXPIRED',
    shaped(ApprovalDetails, { approvalId }),
  );

const endings = { refused: approvalRefused, withdrawn: approvalWithdrawn, expired: approvalExpired };

/** The response to a request that was not approved. */
export const notApproved = (status: keyof typeof endings, approvalId: string, note: string | null): ServiceError =>
  endings[status](approvalId, note);

export const mayNoLonger = () =>
  forbidden(
    'Nothing was done: the credential of the request has ended or lost a permission. Send the request again with another credential.',
  );

export const gaveUp = () => new ServiceError({ status: 500, message: 'Nothing was done after several attempts.' });
