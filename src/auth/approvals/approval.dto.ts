import { Id, Int, ObjectOf, OmitType, OneOf, OpenObject, PageOf, Text, Timestamp } from '#operations';

export const approvalStatuses = ['pending', 'approved', 'done', 'failed', 'refused', 'withdrawn', 'expired'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

const most = 2_147_483_647;

export class ThisApproval {
  @Id('approval', { description: 'Approval id (approval_…), from listApprovals.' }) approvalId: string;
}

export class ListApprovals extends PageOf(['createdAt']) {
  @OneOf(approvalStatuses, { description: 'Only approvals with this status.', optional: true }) status?: ApprovalStatus;
}

/** What a person has to decide about, or has decided. */
export class ApprovalView {
  @Id('approval', { description: 'Approval id (approval_…).' }) id: string;
  @OneOf(approvalStatuses, {
    description: 'pending, approved (being carried out), done, failed, refused, withdrawn or expired.',
  })
  status: ApprovalStatus;
  @Text({ description: 'Operation that was requested.', max: 100 }) operation: string;
  @Text({ description: 'What the operation does, in a few words.', max: 300 }) summary: string;
  @Text({ description: 'Why, in the words of the assistant.', max: 300, nullable: true }) reason: string | null;
  @Text({ description: 'Page where a person decides.', max: 2_048 }) url: string;
  @Timestamp({ description: 'When it expires if nobody decides.' }) expiresAt: string;
  @Text({ description: 'What to do next.', max: 500 }) next: string;
  @Text({ description: 'Note of the person who refused.', max: 500, nullable: true }) note: string | null;
  @Timestamp({ description: 'When a person decided.', nullable: true }) decidedAt: string | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: most }) version: number;
  @Timestamp({ description: 'When it was requested.' }) createdAt: string;
  @Timestamp({ description: 'When it was last changed.' }) updatedAt: string;
}

export class ApprovalResponse {
  @Int({ description: 'HTTP status of the response.', min: 200, max: 599 }) status: number;
  @OpenObject({ description: 'Body of the response.' }) body: object;
}

export class ApprovalWithResponse extends ApprovalView {
  @ObjectOf(() => ApprovalResponse, {
    description: 'Response to the request, for 24 hours after it was carried out.',
    nullable: true,
  })
  response: ApprovalResponse | null;
}

/** What events and the trail keep: neither the words of the assistant nor those of the person. */
export class ApprovalEventData extends OmitType(ApprovalView, ['reason', 'note', 'url', 'next'] as const) {
  @Id('member', { description: 'Member on whose behalf it was requested (member_…).' }) requestedBy: string;
  @Id('member', { description: 'Member who decided (member_…).', nullable: true }) decidedBy: string | null;
}
