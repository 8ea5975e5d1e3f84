import { OmitType } from '#operations';
import { event } from '../../../platform/events/event-type.js';
import { WorkflowRunView } from './run.dto.js';

/** A run without its steps' inputs, which getWorkflowRun shows to callers who may read them. */
export class WorkflowRunEventData extends OmitType(WorkflowRunView, ['trigger', 'steps'] as const) {}

const run = { subject: 'workflow_run', scope: 'workflows:read' as const, data: WorkflowRunEventData };

export const runCreated = event('workflow_run.created', {
  ...run,
  kind: 'opening',
  description: 'A workflow run was triggered.',
});
export const runSucceeded = event('workflow_run.succeeded', {
  ...run,
  description: 'A workflow run completed all of its steps.',
});
export const runFailed = event('workflow_run.failed', { ...run, description: 'A workflow run failed.' });
export const runRetried = event('workflow_run.retried', { ...run, description: 'A failed workflow run was retried.' });
export const runCancelled = event('workflow_run.cancelled', {
  ...run,
  description: 'A workflow run was cancelled.',
});
