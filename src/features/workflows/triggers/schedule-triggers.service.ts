import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { RunStarts } from '../runs/run-starts.service.js';
import { nextTime } from '../schedule.js';
import { WorkflowsRepository } from '../workflows.repository.js';
import { OccasionJudge } from './occasion-judge.service.js';
import { type DueWorkflow, soonestWorkflow, TimesRepository } from './times.repository.js';

/** Starts workflows at their scheduled times. Times that passed while no process ran are caught up once, late. */
@Injectable()
export class ScheduleTriggers implements Work<DueWorkflow> {
  readonly name = 'workflow-schedules';
  readonly lane = schedules;
  readonly soonest = soonestWorkflow;

  constructor(
    private readonly times: TimesRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly judge: OccasionJudge,
    private readonly starts: RunStarts,
    private readonly database: TenantDatabase,
    jobs: Jobs,
  ) {
    jobs.take(this);
  }

  due(now: string): Promise<DueWorkflow[]> {
    return this.times.dueWorkflows(now);
  }

  async perform({ orgId, id }: DueWorkflow): Promise<void> {
    await this.database.transaction(orgId, async () => {
      const now = new Date().toISOString();
      const workflow = await this.workflows.find(orgId, id, 'for no key update');
      const occursAt = workflow?.nextOccurrenceAt;
      if (workflow?.status !== 'active' || !occursAt || occursAt > now) return;
      const version = await this.workflows.findVersion(orgId, id, workflow.activeVersion as number);
      if (version?.trigger.kind !== 'schedule') throw new Error(`The schedule of ${id} is gone`);
      this.times.setNext(workflow, nextTime(version.trigger, version.createdAt, now));
      const start = {
        workflow,
        workflowVersion: version.number,
        key: occursAt,
        trigger: { kind: 'schedule' as const, occursAt },
      };
      if (await this.judge.lets(start, version)) await this.starts.start({ orgId }, start);
    });
  }
}
