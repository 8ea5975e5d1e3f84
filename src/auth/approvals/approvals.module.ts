import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { MailModule } from '../../platform/mail/mail.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ApprovalRulesModule } from '../approval-rules/approval-rules.module.js';
import { ApprovalLetters } from './approval-letters.service.js';
import { ApprovalRequests } from './approval-requests.service.js';
import { ApprovalRunner } from './approval-runner.service.js';
import { ApprovalsController } from './approvals.controller.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { ApprovalsShown } from './approval-shown.js';
import { DecidersRepository } from './deciders.repository.js';
import { Decisions } from './decisions.service.js';
import { Expiry } from './expiry.service.js';
import { HeldRequests } from './held-requests.service.js';
import { KnownOperations } from './known-operations.js';
import { OwnApprovals } from './own-approvals.service.js';
import { SealedContent } from './sealed-content.js';

@Module({
  imports: [ApprovalRulesModule, EventsModule, MailModule, OrganizationsModule],
  controllers: [ApprovalsController],
  providers: [
    ApprovalLetters,
    ApprovalRequests,
    ApprovalRunner,
    ApprovalsRepository,
    ApprovalsShown,
    DecidersRepository,
    Decisions,
    Expiry,
    HeldRequests,
    KnownOperations,
    OwnApprovals,
    SealedContent,
  ],
  exports: [
    ApprovalRequests,
    ApprovalRulesModule,
    ApprovalsRepository,
    Decisions,
    HeldRequests,
    KnownOperations,
    SealedContent,
  ],
})
export class ApprovalsModule {}
