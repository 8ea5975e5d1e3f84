import type { ApprovalMode } from '#access';

export const approvalModes = ['auto', 'ask', 'forbid'] as const satisfies readonly ApprovalMode[];

/** A rule as the page and the command line show it. */
export interface ApprovalRuleRow {
  id: string;
  /** `all`, an application by its client id, or an API key. */
  who: string;
  /** Of the application, only what it does for this person; null for everybody. */
  userId: string | null;
  what: string;
  mode: ApprovalMode;
  createdAt: string;
}

export interface NewApprovalRule extends Pick<ApprovalRuleRow, 'who' | 'what' | 'mode'> {
  userId?: string | null;
}

export interface ApprovalSettings {
  /** How long a request waits for a decision. */
  minutes: number;
  /** Whether somebody other than the requester has to decide. */
  byOthers: boolean;
}
