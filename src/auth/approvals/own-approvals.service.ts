import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import type { ApprovalView, ApprovalWithResponse, ListApprovals, ThisApproval } from './approval.dto.js';
import type { Approval } from './approval.entity.js';
import { ApprovalsShown, statusOf } from './approval-shown.js';
import { alreadyDecided, approvalNotFound } from './approvals.errors.js';
import { approvalDecided } from './approvals.events.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { endedNow } from './endings.js';
import { KnownOperations } from './known-operations.js';
import { SealedContent } from './sealed-content.js';
import { isStillSeen } from './still-seen.js';

/** What a credential requested itself; nobody decides here. */
@Injectable()
export class OwnApprovals {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly shown: ApprovalsShown,
    private readonly operations: KnownOperations,
    private readonly content: SealedContent,
    private readonly events: EventsService,
  ) {}

  async get(caller: Caller, { approvalId }: ThisApproval): Promise<ApprovalWithResponse> {
    const approval = await this.approvals.find(caller.orgId, approvalId);
    if (approval?.principal !== principalOf(caller)) throw approvalNotFound();
    const operation = this.operations.find(approval.operation);
    const answer = isStillSeen(caller, approval, operation) ? this.content.answer(approval) : undefined;
    const response = answer ? { status: answer.status, body: answer.value } : null;
    return { ...this.shown.view(approval), response };
  }

  async list(caller: Caller, input: ListApprovals): Promise<Page<ApprovalView>> {
    const page = await this.approvals.list(caller.orgId, principalOf(caller), input);
    return { ...page, items: page.items.map((approval) => this.shown.view(approval)) };
  }

  /** Waits for a person who is deciding at this moment. */
  async withdraw(caller: Caller, { approvalId }: ThisApproval): Promise<ApprovalView> {
    const approval = await this.approvals.findForChange(caller.orgId, approvalId);
    if (approval?.principal !== principalOf(caller)) throw approvalNotFound();
    expectVersion(caller, approval);
    if (approval.status === 'withdrawn') return this.shown.view(approval);
    if (statusOf(approval) !== 'pending') throw alreadyDecided(statusOf(approval));
    const before: Approval = await this.approvals.update(approval, { status: 'withdrawn', ...endedNow() });
    this.events.record({ ...caller, approvalId }, approvalDecided, approval, before);
    return this.shown.view(approval);
  }
}

/** A person on a page has no requests here. */
const principalOf = ({ credential }: Caller): string => ('principal' in credential ? credential.principal : '');
