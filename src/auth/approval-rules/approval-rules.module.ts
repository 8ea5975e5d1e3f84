import { Module } from '@nestjs/common';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { ApprovalRulesRepository } from './approval-rules.repository.js';
import { ApprovalRulesService } from './approval-rules.service.js';

@Module({
  imports: [OrganizationsModule],
  providers: [ApprovalRulesRepository, ApprovalRulesService],
  exports: [ApprovalRulesRepository, ApprovalRulesService],
})
export class ApprovalRulesModule {}
