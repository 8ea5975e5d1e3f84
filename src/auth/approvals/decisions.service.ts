import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { inFuture } from '#jobs';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import type { Approval } from './approval.entity.js';
import { placesOf, type Rehearsed } from './approval-requests.service.js';
import { statusOf } from './approval-shown.js';
import { approvalDecided } from './approvals.events.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { effectsHash } from './effects-hash.js';
import { endedNow } from './endings.js';

/** What people decide on pages. There is no operation for it: an application that acts as a person could approve itself. */
@Injectable()
export class Decisions {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly events: EventsService,
    private readonly database: TenantDatabase,
  ) {}

  /** @param rehearsed what the person saw. */
  approve(person: Caller, approval: Approval, { happened, startedAt }: Rehearsed): Promise<boolean> {
    return this.decide(person, approval, {
      status: 'approved',
      effectsHash: effectsHash(happened, startedAt),
      effectsTotal: happened.length,
      propertyIds: placesOf(happened),
      dueAt: inFuture(0),
    });
  }

  /** @param note what the assistant is told. */
  refuse(person: Caller, approval: Approval, note: string | null): Promise<boolean> {
    return this.decide(person, approval, { status: 'refused', note, ...endedNow() });
  }

  /** Only the first of two decisions counts. @returns whether it was this one. */
  private decide(person: Caller, { orgId, id }: Approval, changes: Partial<Approval>): Promise<boolean> {
    return this.database.transaction(orgId, async () => {
      const approval = await this.approvals.findForChange(orgId, id);
      if (!approval || statusOf(approval) !== 'pending') return false;
      const decided = { decidedBy: person.memberId, decidedAt: new Date().toISOString() };
      const before = await this.approvals.update(approval, { ...changes, ...decided });
      this.events.record({ ...person, approvalId: id }, approvalDecided, approval, before);
      return true;
    });
  }
}
