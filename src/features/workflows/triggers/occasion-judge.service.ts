import { Injectable } from '@nestjs/common';
import { ActingMembersRepository } from '../../../tenancy/members/acting-members.repository.js';
import { judge } from '../conditions.js';
import { RunFactsService } from '../runs/run-facts.service.js';
import type { Start } from '../runs/run-starts.service.js';
import type { WorkflowVersion } from '../workflow.entity.js';

/** Decides whether an occasion starts a run: the member may act there, and the conditions are met. */
@Injectable()
export class OccasionJudge {
  constructor(
    private readonly facts: RunFactsService,
    private readonly members: ActingMembersRepository,
  ) {}

  async lets({ workflow, trigger: had, reservationId = null, propertyId }: Start, version: WorkflowVersion) {
    const { orgId, trigger, conditions, runAsMemberId } = version;
    // A member who may no longer act does not suppress the run: the run records it.
    const propertyIds = (await this.members.find(orgId, runAsMemberId))?.propertyIds ?? null;
    if (propertyIds && propertyId && !propertyIds.includes(propertyId)) return false;
    if (!conditions) return true;
    return judge(conditions, await this.facts.of(orgId, { workflow, trigger, had, reservationId, propertyIds })).holds;
  }
}
