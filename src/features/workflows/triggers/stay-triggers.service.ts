import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { RunStarts } from '../runs/run-starts.service.js';
import { momentOf } from '../facts.js';
import { StayFactsRepository } from '../stay-facts.repository.js';
import { WorkflowsRepository } from '../workflows.repository.js';
import { OccasionJudge } from './occasion-judge.service.js';
import { type DueStay, soonestStay, TimesRepository } from './times.repository.js';

/** Starts workflows at moments of stays, once for each stay. */
@Injectable()
export class StayTriggers implements Work<DueStay> {
  readonly name = 'workflow-stays';
  readonly lane = schedules;
  readonly soonest = soonestStay;

  constructor(
    private readonly times: TimesRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly stays: StayFactsRepository,
    private readonly judge: OccasionJudge,
    private readonly starts: RunStarts,
    private readonly database: TenantDatabase,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueStay[]> {
    return this.times.dueStays(now);
  }

  async perform({ orgId, workflowId, workflowVersion, reservationId }: DueStay): Promise<void> {
    const [workflow, version, stay] = await Promise.all([
      this.workflows.find(orgId, workflowId),
      this.workflows.findVersion(orgId, workflowId, workflowVersion),
      this.stays.find(orgId, reservationId, null),
    ]);
    const isActive = workflow?.status === 'active' && workflow.activeVersion === workflowVersion;
    if (!isActive || version?.trigger.kind !== 'reservation_relative' || stay?.status !== 'confirmed') return;
    const { moment, offsetMinutes } = version.trigger;
    // It may have moved since it was found.
    if (momentOf(stay, moment, offsetMinutes) > new Date().toISOString()) return;
    const start = {
      workflow,
      workflowVersion,
      key: `${reservationId}:${moment}:${offsetMinutes}`,
      trigger: { kind: 'reservation_relative' as const },
      reservationId,
      propertyId: stay.propertyId,
      subjectId: reservationId,
    };
    const lets = await this.judge.lets(start, version);
    await this.database.transaction(orgId, async () => {
      if (!(await this.workflows.lock(orgId, [workflowId])).has(workflowId)) return;
      if (lets) await this.starts.start({ orgId }, start);
      else await this.starts.skip(orgId, start);
    });
  }
}
