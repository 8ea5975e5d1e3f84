import { Id, Int, ListOfObjects, ObjectOf, OneOf, OpenObject, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import { mostSteps, stepKinds, type StepKind } from '../definition.dto.js';

export const runStatuses = ['queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const runStepStatuses = ['running', 'waiting', 'succeeded', 'failed'] as const;
export type RunStepStatus = (typeof runStepStatuses)[number];

const most = 2_147_483_647;

export class ThisWorkflowRun {
  @Id('run', { about: 'The run.' }) runId: string;
}

export class ListWorkflowRuns extends PageOf(['createdAt']) {
  @Id('workflow', { about: 'Only runs of this workflow.', optional: true }) workflowId?: string;
  @OneOf(runStatuses, { about: 'Only runs of this status.', optional: true }) status?: RunStatus;
  @Id('reservation', { about: 'Only runs about this stay.', optional: true }) reservationId?: string;
}

export class WorkflowRunError {
  @Text({ about: 'What kind of failure, as in the error envelope.', max: 100 }) code: string;
  @Text({ about: 'What went wrong and what to do about it.', max: 1_000 }) message: string;
}

/** A line of the timeline: a step that was begun. */
export class WorkflowRunStep {
  @Text({ about: 'The step.', max: 40 }) stepId: string;
  @OneOf(stepKinds, { about: 'Its kind.' }) kind: StepKind;
  @OneOf(runStepStatuses, {
    about: 'How far it is; waiting for its time, for the end of what it began, or to be tried again.',
  })
  status: RunStepStatus;
  @Int({ about: 'How often it was tried.', min: 0, max: most }) attempts: number;
  @OpenObject({ about: 'What it was given.', optional: true }) input?: Record<string, unknown>;
  @OpenObject({ about: 'What came of it, such as the id of what it made.', optional: true })
  result?: Record<string, unknown>;

  @ObjectOf(() => WorkflowRunError, { about: 'Why it failed, the last time.', optional: true })
  error?: WorkflowRunError;

  @Timestamp({ about: 'When it was begun.' }) startedAt: string;
  @Timestamp({ about: 'When it is to go on.', optional: true }) dueAt?: string;
  @Timestamp({ about: 'When it was done or failed for good.', optional: true }) finishedAt?: string;
}

export class WorkflowRunView {
  @Id('run', { about: 'The run.' }) id: string;
  @Id('workflow', { about: 'The workflow.' }) workflowId: string;
  @Int({ about: 'Which version of it.', min: 1, max: most }) workflowVersion: number;
  @OneOf(runStatuses, { about: 'How far it is; skipped where the conditions did not hold for a stay.' })
  status: RunStatus;

  @OpenObject({ about: 'What had it run: its kind, with the event, the stay or the time.' })
  trigger: object;

  @Id('reservation', { about: 'The stay that it is about.', nullable: true }) reservationId: string | null;
  @Id('property', { about: 'Where that is.', nullable: true }) propertyId: string | null;
  @ListOfObjects(() => WorkflowRunStep, { about: 'Its steps so far, in order.', max: mostSteps })
  steps: WorkflowRunStep[];

  @ObjectOf(() => WorkflowRunError, { about: 'Why it failed.', nullable: true }) error: WorkflowRunError | null;
  @Timestamp({ about: 'When it goes on.', nullable: true }) dueAt: string | null;
  @Timestamp({ about: 'When it ended.', nullable: true }) finishedAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: most }) version: number;
  @Timestamp({ about: 'When it was triggered.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
