import { Injectable } from '@nestjs/common';
import { EventsService } from '../../platform/events/events.service.js';
import type { Approval } from './approval.entity.js';
import { approvalDecided } from './approvals.events.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { endedNow } from './endings.js';

/** Ends what nobody decided in time. */
@Injectable()
export class Expiry {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly events: EventsService,
  ) {}

  /** @param approval pending, and locked by the current transaction. */
  async expire(approval: Approval): Promise<void> {
    const before = await this.approvals.update(approval, { status: 'expired', ...endedNow() });
    this.events.record({ orgId: approval.orgId }, approvalDecided, approval, before);
  }
}
