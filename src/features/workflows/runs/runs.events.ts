import { OmitType } from '@nestjs/swagger';
import { event } from '../../../platform/events/event-type.js';
import { WorkflowRunView } from '../../../workflows/runs/run.dto.js';

/** A run without what its steps were given, which getWorkflowRun tells those who may read it. */
export class WorkflowRunEventData extends OmitType(WorkflowRunView, ['trigger', 'steps'] as const) {}

const run = { subject: 'workflow_run', scope: 'workflows:read' as const, data: WorkflowRunEventData };

export const runCreated = event('workflow_run.created', {
  ...run,
  tells: 'opening',
  says: 'Something had a workflow run.',
});
export const runSucceeded = event('workflow_run.succeeded', { ...run, says: 'A workflow has done all of its steps.' });
export const runFailed = event('workflow_run.failed', { ...run, says: 'A step of a workflow failed for good.' });
export const runRetried = event('workflow_run.retried', { ...run, says: 'A failed step is tried again.' });
export const runCancelled = event('workflow_run.cancelled', { ...run, says: 'A run of a workflow was cancelled.' });
