import { conflict, notFound } from '#errors';
import type { RunStatus } from '../../../workflows/runs/run.dto.js';

export const runNotFound = () => notFound('run');

export const runHasNotFailed = (status: RunStatus) =>
  conflict('WORKFLOW_RUN_NOT_FAILED', `The run is ${status}; only a failed one can be tried again.`);

export const runHasEnded = (status: RunStatus) =>
  conflict('WORKFLOW_RUN_ENDED', `The run has ended (${status}); only one that is under way can be cancelled.`);
