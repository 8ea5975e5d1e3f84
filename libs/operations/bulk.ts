import { type Action, errorEnvelope, ServiceError } from '#errors';
import { Text } from './fields.js';
import { OpenObject } from './nested-fields.js';

/** Why a bulk operation did not change one of its records: the error that its own operation would return. */
export class BulkError {
  @Text({ description: 'Error category.', max: 50 }) type: string;
  @Text({ description: 'Error code in UPPER_SNAKE_CASE.', max: 100 }) code: string;
  @Text({ description: 'What is wrong and what to do about it.', max: 1_000 }) message: string;
  @OpenObject({ description: 'Details of the error.', optional: true }) details?: object;
}

/** @throws the error, if it rejects more than one record. */
export function bulkErrorOf(error: unknown, requestId: string, action: Action): BulkError {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  return errorEnvelope(error, requestId, action).error;
}
