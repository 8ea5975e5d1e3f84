import { Injectable, Logger } from '@nestjs/common';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Beside } from '../../../platform/events/happening.js';
import type { Originator } from '../../../platform/events/originator.js';
import type { Workflow } from '../workflow.entity.js';
import { workflowPaused } from '../workflows.events.js';
import { WorkflowsRepository } from '../workflows.repository.js';
import { newRun, type RunTrigger, type WorkflowRun } from './run.entity.js';
import { runCreated } from './runs.events.js';
import { RunsRepository } from './runs.repository.js';

/** The occasion of a run. */
export interface Start {
  workflow: Workflow;
  workflowVersion: number;
  /** One key starts the workflow once. */
  key: string;
  trigger: RunTrigger;
  reservationId?: string | null;
  propertyId?: string | null;
  /** The subject of the run, if there is one. */
  subjectId?: string;
  /** The workflows that led to it. */
  chain?: string[];
  /** What it does, for the person who approves it. */
  beside?: Beside;
}

/**
 * A workflow that runs this often for the same subject has probably triggered itself, by way of devices or other
 * systems.
 */
const mostForOneRecord = 20;
const withinMs = 60 * 60_000;
const runaway = `It ran ${mostForOneRecord} times within an hour for the same record. Check whether it triggers itself, then activate it again.`;

/** Starts runs, in the current transaction; a repeated trigger starts a run only once. */
@Injectable()
export class RunStarts {
  private readonly log = new Logger(RunStarts.name);

  constructor(
    private readonly runs: RunsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly events: EventsService,
  ) {}

  /** @returns undefined if there was such a run already, or the workflow was paused because it triggers itself. */
  async start(by: Originator, start: Start): Promise<WorkflowRun | undefined> {
    const run = this.runOf(by.orgId, start);
    if (await this.runsAway(start.workflow, run)) return undefined;
    if (!(await this.runs.insertOnce(run))) return undefined;
    this.events.record(by, runCreated, run, null, start.beside);
    return run;
  }

  /** Records that a workflow does not run, so that the occasion is not checked again. */
  async skip(orgId: string, start: Start): Promise<void> {
    await this.runs.insertOnce(this.runOf(orgId, start, { skipped: true }));
  }

  private runOf(orgId: string, start: Start, options: { skipped?: boolean } = {}): WorkflowRun {
    const { workflow, workflowVersion, key, trigger, reservationId, propertyId, subjectId, chain = [] } = start;
    const given = {
      orgId,
      workflowId: workflow.id,
      workflowVersion,
      triggerKey: key,
      trigger,
      subjectId: subjectId ?? null,
      reservationId: reservationId ?? null,
      propertyId: propertyId ?? null,
      chain,
    };
    return newRun(given, options);
  }

  private async runsAway({ id }: Workflow, { orgId, subjectId }: WorkflowRun): Promise<boolean> {
    if (subjectId === null) return false;
    const since = new Date(Date.now() - withinMs).toISOString();
    if ((await this.runs.countSince(orgId, id, subjectId, since)) < mostForOneRecord) return false;
    const workflow = await this.workflows.find(orgId, id, 'for no key update');
    if (workflow?.status === 'active') {
      this.log.warn({ workflowId: id, subjectId }, 'A workflow ran too often and was paused');
      const before = await this.workflows.update(workflow, {
        status: 'paused',
        pausedReason: runaway,
        nextOccurrenceAt: null,
      });
      this.events.record({ orgId }, workflowPaused, workflow, before);
    }
    return true;
  }
}
