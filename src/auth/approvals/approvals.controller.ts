import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListApprovals, ThisApproval } from './approval.dto.js';
import { getApproval, listApprovals, withdrawApproval } from './approvals.operations.js';
import { OwnApprovals } from './own-approvals.service.js';

@Controller()
export class ApprovalsController {
  constructor(private readonly approvals: OwnApprovals) {}

  @Handles(getApproval) get(caller: Caller, input: ThisApproval) {
    return this.approvals.get(caller, input);
  }

  @Handles(listApprovals) list(caller: Caller, input: ListApprovals) {
    return this.approvals.list(caller, input);
  }

  @Handles(withdrawApproval) withdraw(caller: Caller, input: ThisApproval) {
    return this.approvals.withdraw(caller, input);
  }
}
