import { conflict, forbidden, type Issue, nonRetryable, notFound, type ServiceError } from '#errors';
import type { ModelJobError, ModelJobStatus } from '../../models/model-job.dto.js';

export const modelJobNotFound = () => notFound('model job');

export const noModelConfigured = () =>
  nonRetryable(
    'No language model is set up, so nothing was begun. The operator of this service sets MODEL_BASE_URL and MODEL_NAME, and MODEL_API_KEY where the server wants one.',
  );

export const modelJobHasEnded = (status: ModelJobStatus) =>
  conflict('MODEL_JOB_ENDED', `The job has ${status}; only one that is queued or running can be cancelled.`);

export const mayNoLonger = () =>
  forbidden(
    'Nothing was saved: the credential that asked for this has ended, or may no longer do it. Ask again with one that may.',
  );

/** Why a job failed, in the words of the error envelope. */
export const draftRefused = (issues: readonly Issue[]): ModelJobError => ({
  code: 'DRAFT_REFUSED',
  message:
    'The model wrote nothing that can be used, even when it was told what to put right. Nothing was saved. Say it in other words and ask again.',
  details: { issues },
});

/** What the model's server said is the operator's to read, in the log. */
export const modelOutOfReach: ModelJobError = {
  code: 'CONNECTOR_ERROR',
  message: 'The language model did not answer, though it was asked several times. A later request may succeed.',
  details: {},
};

export const modelRefuses: ModelJobError = {
  code: 'NON_RETRYABLE',
  message:
    'The language model’s server refuses requests of this service. Its operator has to look at MODEL_BASE_URL, MODEL_NAME and MODEL_API_KEY.',
  details: {},
};

export const unforeseen: ModelJobError = { code: 'INTERNAL_ERROR', message: 'Internal server error', details: {} };

export const asJobError = ({ code, message, details }: ServiceError): ModelJobError => ({ code, message, details });
