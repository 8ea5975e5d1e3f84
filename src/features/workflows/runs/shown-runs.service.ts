import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { mayReadEvent } from '../../../platform/events/readable-events.js';
import { StepSecrets } from '../step-secrets.service.js';
import type { WorkflowVersion } from '../workflow.entity.js';
import { WorkflowsRepository } from '../workflows.repository.js';
import { withInputsAs } from './noted-inputs.js';
import { type RunStep, WorkflowRun } from './run.entity.js';

/** Runs as callers may see them. */
@Injectable()
export class ShownRuns {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly secrets: StepSecrets,
  ) {}

  async oneTo(caller: Caller, run: WorkflowRun): Promise<WorkflowRun> {
    return (await this.to(caller, [run]))[0] as WorkflowRun;
  }

  /** The secrets in inputs are masked. The version of a run, which never changes, names the operations. */
  async to(caller: Caller, runs: readonly WorkflowRun[]): Promise<WorkflowRun[]> {
    const readable = runs.map((run) => readableTo(caller, run));
    const withInputs = readable.filter(({ steps }) => steps.some(hasOperationInput));
    const versions = await this.workflows.findVersions(caller.orgId, withInputs);
    return readable.map((run) => this.masked(run, versions));
  }

  private masked(run: WorkflowRun, versions: readonly WorkflowVersion[]): WorkflowRun {
    const { workflowId, workflowVersion } = run;
    const version = versions.find((one) => one.workflowId === workflowId && one.number === workflowVersion);
    if (!version) return run;
    const steps = withInputsAs(run.steps, version.steps, (operation, input) =>
      this.secrets.maskInput(operation, this.secrets.openInput(operation, input, run)),
    );
    return withChanges(run, { steps });
  }
}

/** A run without the event's content and the inputs derived from it, for callers who may not read the event. */
function readableTo({ permissions }: Caller, run: WorkflowRun): WorkflowRun {
  const { event } = run.trigger;
  if (!event || mayReadEvent(event, permissions)) return run;
  const { data: _, ...known } = event;
  const steps = run.steps.map(({ input: __, ...step }) => step);
  return withChanges(run, { trigger: { ...run.trigger, event: known as typeof event }, steps });
}

const hasOperationInput = ({ kind, input }: RunStep): boolean => kind === 'operation' && input !== undefined;

const withChanges = (run: WorkflowRun, changes: Partial<WorkflowRun>): WorkflowRun =>
  Object.assign(new WorkflowRun(), run, changes);
