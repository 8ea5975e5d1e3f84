import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone } from '../../platform/events/undo.js';
import { ModelJobView } from './model-job.dto.js';
import { scopesOfModelWork } from './model-jobs.operations.js';

/** A job without its result, because that may name guests. */
export class ModelJobEventData extends OmitType(ModelJobView, ['result', 'error', 'usage'] as const) {}

const notTakenBack = cannotBeUndone('A model job cannot be undone. Cancel it with cancelModelJob.');

/** As for getModelJob, only callers who may request such a job can read it. */
const scope = { field: 'operation', scopes: scopesOfModelWork };

const job = { subject: 'model_job', scope, data: ModelJobEventData };

export const modelJobCreated = event('model_job.created', {
  ...job,
  kind: 'opening',
  description: 'A model job was created.',
  undo: notTakenBack,
});
export const modelJobSucceeded = event('model_job.succeeded', {
  ...job,
  description: 'A model job succeeded.',
  undo: notTakenBack,
});
export const modelJobFailed = event('model_job.failed', {
  ...job,
  description: 'A model job failed.',
  undo: notTakenBack,
});
export const modelJobCancelled = event('model_job.cancelled', {
  ...job,
  description: 'A model job was cancelled.',
  undo: notTakenBack,
});
