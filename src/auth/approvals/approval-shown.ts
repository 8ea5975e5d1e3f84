import { Inject, Injectable } from '@nestjs/common';
import type { Answer } from '#errors';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import type { ApprovalStatus, ApprovalView } from './approval.dto.js';
import type { Approval } from './approval.entity.js';

const next: Record<ApprovalStatus, string> = {
  pending:
    'Give the person the url. Then send the same request again with its Idempotency-Key, or call getApproval with the id.',
  approved: 'It is being carried out. Call getApproval in a moment.',
  done: 'It was carried out. getApproval returns the response for 24 hours.',
  failed: 'It was approved but could not be carried out. getApproval returns the error for 24 hours.',
  refused: 'Do not repeat it. Ask the person what to do instead.',
  withdrawn: 'It was withdrawn. Send a new request to ask again.',
  expired: 'Nobody decided in time. Send a new request to ask again.',
};

/** An approval is shown as expired even before its row says so. */
export const statusOf = ({ status, expiresAt }: Pick<Approval, 'status' | 'expiresAt'>): ApprovalStatus =>
  status === 'pending' && expiresAt <= new Date().toISOString() ? 'expired' : status;

/** Approvals as clients see them. */
@Injectable()
export class ApprovalsShown {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The address contains only the id: everybody who opens it has to sign in. */
  urlOf(id: string): string {
    return `${this.config.baseUrl}/approvals/${id}`;
  }

  view(approval: Approval): ApprovalView {
    const status = statusOf(approval);
    return { ...approval, status, url: this.urlOf(approval.id), next: next[status] };
  }

  /** The response to the request itself, as long as nothing was carried out. */
  answer(approval: Approval, requestId: string): Answer {
    const { id, status, operation, summary, url, expiresAt, next: then } = this.view(approval);
    return {
      status: 202,
      headers: { Location: `/api/v1/approvals/${id}` },
      value: { data: { id, status, operation, summary, url, expiresAt, next: then }, meta: { requestId } },
    };
  }
}
