import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { Catalogue } from '#operations';
import { ApprovalPages } from '../../auth/approvals-page/approval-page.service.js';
import { ApprovalSubjects } from '../../auth/approvals-page/approval-subjects.service.js';
import { ModelBudget } from '../../edge/limits/model-budget.js';
import { refusalsOf } from '../../edge/refusals.js';
import { ReservationsRepository } from '../../features/reservations/reservations.repository.js';
import { isOwnedElsewhere } from '../../features/reservations/stay-rules.js';
import { AuditVerification } from '../../platform/audit/audit-verification.service.js';
import { EventsRepository } from '../../platform/events/events.repository.js';
import { UndoService } from '../../platform/undo/undo.service.js';
import type { Beyond, Visit } from './visit.js';

/** What pages show that no operation returns. */
@Injectable()
export class BeyondOperations {
  constructor(
    private readonly approvalPages: ApprovalPages,
    private readonly approvalSubjects: ApprovalSubjects,
    private readonly events: EventsRepository,
    private readonly undos: UndoService,
    private readonly trail: AuditVerification,
    private readonly modelBudget: ModelBudget,
    private readonly catalogue: Catalogue,
    private readonly reservations: ReservationsRepository,
  ) {}

  for(
    { context }: Request,
    { signedIn, caller, membership }: Pick<Visit, 'signedIn' | 'caller' | 'membership'>,
  ): Beyond {
    const deciding = (which: 'pending' | 'decided') => this.approvalPages.within(signedIn, membership, which, context);
    return {
      approvals: async (which) => (await deciding(which)).map(({ approval }) => approval),
      subjectsOfApprovals: async (which) => await this.approvalSubjects.of(await deciding(which)),
      newestEvents: (limit) => this.events.newest(caller, limit),
      closed: (entries) =>
        this.undos.closed(
          caller,
          entries.map(({ id }) => id),
        ),
      verifyTrail: () => this.trail.newest(membership.orgId),
      modelCallsUsed: () => this.modelBudget.used(caller),
      isKeptElsewhere: async (reservationId) => {
        const stay = await this.reservations.findRow(caller, reservationId);
        return stay !== undefined && isOwnedElsewhere(stay);
      },
      meaningOf: (name, code) => {
        const handled = this.catalogue.all().find(({ operation }) => operation.name === name);
        return handled && refusalsOf(handled.operation).find((refusal) => refusal.code === code)?.message;
      },
    };
  }
}
