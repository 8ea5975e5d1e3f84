import { Id, Int, Text } from '#operations';

export class PendingDetails {
  @Int({ description: 'Requests of this credential that wait.', min: 0, max: 1_000 }) pending: number;
}

export class ApprovalDetails {
  @Id('approval', { description: 'Approval that decided (approval_…).' }) approvalId: string;
}

export class RefusedDetails extends ApprovalDetails {
  @Text({ description: 'What the person wrote.', optional: true, max: 2_000 }) note?: string;
}
