import { conflict, recordNotFound } from '#errors';
import type { RunStatus } from './run.dto.js';

export const runNotFound = recordNotFound('run', 'listWorkflowRuns');

export const runHasNotFailed = (status: RunStatus) =>
  conflict('WORKFLOW_RUN_NOT_FAILED', `The run is ${status}; only a failed run can be retried.`);

export const runHasEnded = (status: RunStatus) =>
  conflict('WORKFLOW_RUN_ENDED', `The run has ended (${status}); only a run in progress can be cancelled.`);
