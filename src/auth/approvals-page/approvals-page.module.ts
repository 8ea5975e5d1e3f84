import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ApprovalsModule } from '../approvals/approvals.module.js';
import { ApprovalPageController } from './approval-page.controller.js';
import { ApprovalPages } from './approval-page.service.js';
import { ApprovalSubjects } from './approval-subjects.service.js';
import { OwnApprovalsPageController } from './own-approvals-page.controller.js';
import { RecordNames } from './record-names.repository.js';
import { RuleSubjects } from './rule-subjects.repository.js';
import { ApprovalRulesPageController } from './rules-page.controller.js';

/** A separate module, because pages live outside /api/v1. */
@Module({
  imports: [AccountsModule, ApprovalsModule, EventsModule, OrganizationsModule],
  controllers: [ApprovalPageController, ApprovalRulesPageController, OwnApprovalsPageController],
  providers: [ApprovalPages, ApprovalSubjects, RecordNames, RuleSubjects],
  exports: [ApprovalPages, ApprovalSubjects, RecordNames],
})
export class ApprovalsPageModule {}
