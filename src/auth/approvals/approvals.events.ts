import { event } from '../../platform/events/event-type.js';
import { remains } from '../../platform/events/undo.js';
import { ApprovalEventData } from './approval.dto.js';
import type { Approval } from './approval.entity.js';

const approval = {
  subject: 'approval',
  scope: 'approvals:decide',
  data: ApprovalEventData,
  /** Only where it is about one property; others are about the organization. */
  at: (data: ApprovalEventData) => {
    const { propertyIds } = data as Approval;
    return propertyIds.length === 1 ? (propertyIds[0] as string) : null;
  },
} as const;

export const approvalRequested = event('approval.requested', {
  ...approval,
  kind: 'opening',
  description: 'A request is waiting for approval by a person.',
  undo: remains(
    'A request for approval stays recorded. While it waits, nothing has changed: withdraw it with withdrawApproval. What was approved can be undone.',
  ),
});
export const approvalDecided = event('approval.decided', {
  ...approval,
  description: 'A request was approved, refused or withdrawn, or expired.',
  undo: remains('A decision cannot be undone, but the approved changes can.'),
});
