import { OmitType } from '@nestjs/swagger';
import { event } from '../../platform/events/event-type.js';
import { ModelJobView } from '../../models/model-job.dto.js';
import { scopesOfModelWork } from './model-jobs.operations.js';

/** A job without what came of it, in which guests may be named. */
export class ModelJobEventData extends OmitType(ModelJobView, ['result', 'error', 'usage'] as const) {}

/** As getModelJob: a job is read by those who may ask for such. */
const scope = { field: 'operation', scopes: scopesOfModelWork };

const job = { subject: 'model_job', scope, data: ModelJobEventData };

export const modelJobCreated = event('model_job.created', {
  ...job,
  tells: 'opening',
  says: 'A language model was given work.',
});
export const modelJobSucceeded = event('model_job.succeeded', {
  ...job,
  says: 'A draft of a language model is ready.',
});
export const modelJobFailed = event('model_job.failed', { ...job, says: 'A language model’s work came to nothing.' });
export const modelJobCancelled = event('model_job.cancelled', {
  ...job,
  says: 'A language model’s work was cancelled.',
});
