import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { newId } from '#persistence';
import type { Page } from '#operations';
import { EventsService } from '../../../platform/events/events.service.js';
import { judge } from '../conditions.js';
import { DefinitionWords } from '../definition-words.service.js';
import type { StayFacts } from '../facts.js';
import type { RunWorkflow } from '../workflow.dto.js';
import {
  conditionsDoNotHold,
  stayNotFound,
  workflowIsArchived,
  workflowIsNotManual,
  workflowNamesAStay,
} from '../workflows.errors.js';
import { type ActiveWorkflow, WorkflowsRepository } from '../workflows.repository.js';
import type { ListWorkflowRuns, ThisWorkflowRun } from './run.dto.js';
import type { RunStep, WorkflowRun } from './run.entity.js';
import { RunFactsService } from './run-facts.service.js';
import { RunStarts } from './run-starts.service.js';
import { runHasEnded, runHasNotFailed, runNotFound } from './runs.errors.js';
import { runRetried } from './runs.events.js';
import { RunsRepository } from './runs.repository.js';
import { ShownRuns } from './shown-runs.service.js';
import { WaitingRuns } from './waiting-runs.service.js';

@Injectable()
export class RunsService {
  constructor(
    private readonly runs: RunsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly facts: RunFactsService,
    private readonly starts: RunStarts,
    private readonly waiting: WaitingRuns,
    private readonly words: DefinitionWords,
    private readonly shown: ShownRuns,
    private readonly events: EventsService,
  ) {}

  async list(caller: Caller, input: ListWorkflowRuns): Promise<Page<WorkflowRun>> {
    const page = await this.runs.list(caller, input);
    return { ...page, items: await this.shown.to(caller, page.items) };
  }

  async get(caller: Caller, { runId }: ThisWorkflowRun): Promise<WorkflowRun> {
    const run = await this.runs.find(caller, runId);
    if (!run) throw runNotFound();
    return await this.shown.oneTo(caller, run);
  }

  /** Runs an active workflow on request. */
  async startByHand(caller: Caller, { workflow, version }: ActiveWorkflow, input: RunWorkflow): Promise<WorkflowRun> {
    const { trigger, conditions, number } = version;
    const reservationId = input.reservationId ?? null;
    if (trigger.kind !== 'manual') throw workflowIsNotManual();
    if ((trigger.reservation === true) !== (reservationId !== null))
      throw workflowNamesAStay(trigger.reservation === true);
    const had = { kind: 'manual' as const, requestedBy: caller.memberId };
    const { propertyIds } = caller;
    const facts = await this.facts.of(caller.orgId, { workflow, trigger, had, reservationId, propertyIds });
    const stay = facts.reservation as StayFacts | undefined;
    if (reservationId && !stay) throw stayNotFound();
    if (!judge(conditions, facts).holds) throw conditionsDoNotHold();
    const key = newId('manual');
    const beside = this.words.ofChange(null, version);
    const of = { workflow, workflowVersion: number, reservationId, propertyId: stay?.propertyId };
    const start = { ...of, key, trigger: had, beside };
    return (await this.starts.start(caller, start)) as WorkflowRun;
  }

  /** A retry of the failed step is a new request, so the stored error is not returned again. */
  async retry(caller: Caller, { runId }: ThisWorkflowRun): Promise<WorkflowRun> {
    const { workflowId } = await this.get(caller, { runId });
    // Locked before the run, as in archiveWorkflow, which therefore waits and then cancels this run.
    const workflow = await this.workflows.find(caller.orgId, workflowId, 'for share');
    if (workflow?.status === 'archived') throw workflowIsArchived();
    const run = await this.forChange(caller, runId);
    if (run.status !== 'failed') throw runHasNotFailed(run.status);
    const now = new Date().toISOString();
    const steps = run.steps.map((step) => (step.status === 'failed' ? begunAnew(step, now) : step));
    const before = await this.runs.update(run, { status: 'queued', steps, error: null, dueAt: now, finishedAt: null });
    this.events.record(caller, runRetried, run, before);
    return await this.shown.oneTo(caller, run);
  }

  async cancel(caller: Caller, { runId }: ThisWorkflowRun): Promise<WorkflowRun> {
    const run = await this.forChange(caller, runId);
    if (run.status !== 'cancelled') {
      if (run.dueAt === null) throw runHasEnded(run.status);
      await this.waiting.cancel(caller, run);
    }
    return await this.shown.oneTo(caller, run);
  }

  /** All unfinished runs. */
  async cancelAll(caller: Caller, workflowId: string): Promise<void> {
    for (const run of await this.runs.openOf(caller.orgId, workflowId)) await this.waiting.cancel(caller, run);
  }

  private async forChange(caller: Caller, runId: string): Promise<WorkflowRun> {
    const run = await this.runs.find(caller, runId, 'for no key update');
    if (!run) throw runNotFound();
    expectVersion(caller, run);
    return run;
  }
}

const begunAnew = ({ stepId, kind, round }: RunStep, startedAt: string): RunStep => ({
  stepId,
  kind,
  status: 'waiting',
  attempts: 0,
  round: round + 1,
  startedAt,
});
