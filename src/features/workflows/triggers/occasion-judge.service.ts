import { Injectable } from '@nestjs/common';
import { ActingMembersRepository } from '../../../tenancy/members/acting-members.repository.js';
import { judge } from '../conditions.js';
import { RunFactsService } from '../runs/run-facts.service.js';
import type { Start } from '../runs/run-starts.service.js';
import type { WorkflowVersion } from '../workflow.entity.js';

/** Whether something that could have a workflow run does: where its member may be, and its conditions hold. */
@Injectable()
export class OccasionJudge {
  constructor(
    private readonly facts: RunFactsService,
    private readonly members: ActingMembersRepository,
  ) {}

  async lets({ workflow, trigger: had, reservationId = null, propertyId }: Start, version: WorkflowVersion) {
    const { orgId, trigger, conditions, runAsMemberId } = version;
    // Whoever may not act any more is no reason to be silent: the run says so.
    const propertyIds = (await this.members.find(orgId, runAsMemberId))?.propertyIds ?? null;
    if (propertyIds && propertyId && !propertyIds.includes(propertyId)) return false;
    if (!conditions) return true;
    return judge(conditions, await this.facts.of(orgId, { workflow, trigger, had, reservationId, propertyIds })).holds;
  }
}
