import { OmitType } from '#operations';
import { event } from '../../../platform/events/event-type.js';
import { cannotBeUndone } from '../../../platform/events/undo.js';
import { WorkflowRunView } from './run.dto.js';

/** A run without its steps' inputs, which getWorkflowRun shows to callers who may read them. */
export class WorkflowRunEventData extends OmitType(WorkflowRunView, ['trigger', 'steps'] as const) {}

const notTakenBack = cannotBeUndone('Undo the changes that the run made instead. Cancel a run with cancelWorkflowRun.');

const run = { subject: 'workflow_run', scope: 'workflows:read' as const, data: WorkflowRunEventData };

export const runCreated = event('workflow_run.created', {
  ...run,
  kind: 'opening',
  description: 'A workflow run was triggered.',
  undo: notTakenBack,
});
export const runSucceeded = event('workflow_run.succeeded', {
  ...run,
  description: 'A workflow run completed all of its steps.',
  undo: notTakenBack,
});
export const runFailed = event('workflow_run.failed', {
  ...run,
  description: 'A workflow run failed.',
  undo: notTakenBack,
});
export const runRetried = event('workflow_run.retried', {
  ...run,
  description: 'A failed workflow run was retried.',
  undo: notTakenBack,
});
export const runCancelled = event('workflow_run.cancelled', {
  ...run,
  description: 'A workflow run was cancelled.',
  undo: notTakenBack,
});
