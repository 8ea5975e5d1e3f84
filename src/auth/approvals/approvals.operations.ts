import { alreadyDecided } from './approvals.errors.js';
import { one, operation, page } from '#operations';
import { ApprovalView, ApprovalWithResponse, ListApprovals, ThisApproval } from './approval.dto.js';

/** No scope is required, because each credential sees only what it requested itself. */
export const getApproval = operation({
  name: 'getApproval',
  route: 'GET /approvals/{approvalId}',
  effect: 'read',
  reach: 'property',
  title: 'Get an approval',
  description:
    'Returns the status of a request of yours that needs approval by a person, and the response once it was carried out.',
  askedAs: 'has it been approved yet',
  input: ThisApproval,
  output: one(ApprovalWithResponse),
});

export const listApprovals = operation({
  name: 'listApprovals',
  route: 'GET /approvals',
  effect: 'read',
  reach: 'property',
  title: 'List approvals',
  description: 'Lists your pending and decided requests for approval by a person, newest first.',
  askedAs: 'which of my requests still wait for somebody to approve',
  input: ListApprovals,
  output: page(ApprovalView),
});

export const withdrawApproval = operation({
  name: 'withdrawApproval',
  route: 'POST /approvals/{approvalId}/withdraw',
  effect: 'write',
  reach: 'property',
  title: 'Withdraw a request for approval',
  description: 'Withdraws a pending request of yours. It is not carried out.',
  askedAs: 'never mind, no need to approve that',
  refuses: [alreadyDecided],
  input: ThisApproval,
  output: one(ApprovalView),
});
