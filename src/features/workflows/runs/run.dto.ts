import { Id, Int, ListOfObjects, ObjectOf, OneOf, OpenObject, PageOfTimes, Text, Timestamp } from '#operations';
import { mostSteps, stepKinds, type StepKind } from '../step.dto.js';

export const runStatuses = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runStepStatuses = ['running', 'waiting', 'succeeded', 'failed'] as const;
export type RunStepStatus = (typeof runStepStatuses)[number];

const most = 2_147_483_647;

export class ThisWorkflowRun {
  @Id('run', { description: 'Run id (run_…), from listWorkflowRuns.' }) runId: string;
}

export class ListWorkflowRuns extends PageOfTimes(['createdAt']) {
  @Id('workflow', { description: 'Only runs of this workflow (workflow_…), from listWorkflows.', optional: true })
  workflowId?: string;
  @OneOf(runStatuses, { description: 'Only runs with this status.', optional: true }) status?: RunStatus;
  @Id('reservation', { description: 'Only runs for this stay (reservation_…), from listReservations.', optional: true })
  reservationId?: string;
}

export class WorkflowRunError {
  @Text({ description: 'Error category, as in the error envelope.', max: 100 }) code: string;
  @Text({ description: 'What is wrong and what to do about it.', max: 1_000 }) message: string;
}

/** A timeline entry: a step that was started. */
export class WorkflowRunStep {
  @Text({ description: 'Name of the step.', max: 40 }) stepId: string;
  @OneOf(stepKinds, { description: 'Kind of step.' }) kind: StepKind;
  @OneOf(runStepStatuses, {
    description: 'Status of the step; waiting: for its time, for work that it started, or for the next attempt.',
  })
  status: RunStepStatus;
  @Int({ description: 'Number of attempts.', min: 0, max: most }) attempts: number;
  @OpenObject({ description: 'Input of the step; secrets are masked.', optional: true }) input?: Record<
    string,
    unknown
  >;
  @OpenObject({ description: 'Result of the step, such as the id of the record that it created.', optional: true })
  result?: Record<string, unknown>;

  @ObjectOf(() => WorkflowRunError, { description: 'Error of the last attempt.', optional: true })
  error?: WorkflowRunError;

  @Timestamp({ description: 'When the step was started.' }) startedAt: string;
  @Timestamp({ description: 'When the step continues.', optional: true }) dueAt?: string;
  @Timestamp({ description: 'When the step was completed or failed permanently.', optional: true }) finishedAt?: string;
}

export class WorkflowRunView {
  @Id('run', { description: 'Run id (run_…).' }) id: string;
  @Id('workflow', { description: 'Workflow id (workflow_…).' }) workflowId: string;
  @Int({ description: 'Version of the workflow.', min: 1, max: most }) workflowVersion: number;
  @OneOf(runStatuses, { description: 'Status of the run; skipped: the conditions did not match.' })
  status: RunStatus;

  @OpenObject({ description: 'Trigger of the run: its kind, with the event, stay or time.' })
  trigger: object;

  @Id('reservation', { description: 'Stay of the run (reservation_…).', nullable: true }) reservationId: string | null;
  @Id('property', { description: 'Property of that stay (property_…).', nullable: true }) propertyId: string | null;
  @ListOfObjects(() => WorkflowRunStep, { description: 'Steps so far, in order.', max: mostSteps })
  steps: WorkflowRunStep[];

  @ObjectOf(() => WorkflowRunError, { description: 'Why the run failed.', nullable: true })
  error: WorkflowRunError | null;
  @Timestamp({ description: 'When the run continues.', nullable: true }) dueAt: string | null;
  @Timestamp({ description: 'When the run ended.', nullable: true }) finishedAt: string | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: most }) version: number;
  @Timestamp({ description: 'When the run was triggered.' }) createdAt: string;
  @Timestamp({ description: 'When the run was last changed.' }) updatedAt: string;
}
