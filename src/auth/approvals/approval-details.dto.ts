import { Id, Int, Text } from '#operations';

export class PendingDetails {
  @Int({ description: 'Pending requests of this credential.', min: 0, max: 1_000 }) pending: number;
}

export class ApprovalDetails {
  @Id('approval', { description: 'Approval that was decided (approval_…).' }) approvalId: string;
}

export class RefusedDetails extends ApprovalDetails {
  @Text({ description: 'Note that the person wrote.', optional: true, max: 2_000 }) note?: string;
}
