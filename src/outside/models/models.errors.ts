import { conflict, forbidden, type Issue, NotSetUp, recordNotFound, type ServiceError } from '#errors';
import type { ModelJobError, ModelJobStatus } from './model-job.dto.js';

export const modelJobNotFound = recordNotFound('job', 'listModelJobs', 'model job');

export const noModelConfigured = () =>
  new NotSetUp(
    'No language model is configured. The operator of this service must set MODEL_BASE_URL, MODEL_NAME and, if needed, MODEL_API_KEY.',
  );

export const modelJobHasEnded = (status: ModelJobStatus) =>
  conflict('MODEL_JOB_ENDED', `The job has ${status}; only a queued or running job can be cancelled.`);

export const mayNoLonger = () =>
  forbidden(
    'Nothing was saved: the credential of the request has ended or lost its permission. Send the request again with another credential.',
  );

/** The reason for a job's failure, in the form of the error envelope. */
export const draftRefused = (issues: readonly Issue[]): ModelJobError => ({
  code: 'DRAFT_REFUSED',
  message:
    'The model produced no usable result after several attempts, and nothing was saved. Rephrase the instruction and try again.',
  details: { issues },
});

/** The model server's own message is for the operator, so it goes to the log only. */
export const modelOutOfReach: ModelJobError = {
  code: 'CONNECTOR_ERROR',
  message: 'The language model did not respond after several attempts. Try again later.',
  details: {},
};

export const modelRefuses: ModelJobError = {
  code: 'NON_RETRYABLE',
  message:
    'The language model’s server rejects this service. Its operator must check MODEL_BASE_URL, MODEL_NAME and MODEL_API_KEY.',
  details: {},
};

export const unforeseen: ModelJobError = { code: 'INTERNAL_ERROR', message: 'Internal server error', details: {} };

export const asJobError = ({ code, message, details }: ServiceError): ModelJobError => ({ code, message, details });
