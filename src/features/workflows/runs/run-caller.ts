import type { Caller, WorkflowCredential } from '#access';
import type { ActingMember } from '../../../tenancy/members/acting-members.repository.js';
import type { WorkflowRun } from './run.entity.js';

const ratePerMinute = 1_000;

/**
 * The caller that a step of a run acts as: the member with their current permissions, and none once they may no longer
 * act.
 */
export function callerOf(
  { orgId, id, workflowId }: WorkflowRun,
  stepId: string,
  memberId: string,
  member: ActingMember | undefined,
): Caller<WorkflowCredential> {
  const permissions = member?.permissions ?? new Set<string>();
  return {
    orgId,
    memberId,
    userId: member?.userId,
    credential: {
      kind: 'workflow',
      id: workflowId,
      principal: workflowId,
      ratePerMinute,
      scopes: permissions,
      runId: id,
    },
    permissions,
    propertyIds: member ? member.propertyIds : [],
    secondFactorMissing: member?.secondFactorMissing ?? false,
    requestId: `${id}.${stepId}`,
  };
}
