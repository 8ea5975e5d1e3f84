import type { Answer } from '#errors';
import { type Operation, successEnvelope } from '#operations';

/** What an operation's result is answered with; only fields of the output class leave the service. */
export function successAnswer(operation: Operation, result: unknown, requestId: string, feedCursor?: string): Answer {
  const location = operation.follow?.(result);
  return {
    status: operation.status === 202 && location === undefined ? 200 : operation.status,
    value: successEnvelope(operation.output, result, requestId, feedCursor),
    headers: { ...entityTag(result), ...(location !== undefined && { Location: `/api/v1${location}` }) },
  };
}

const entityTag = (result: unknown): Record<string, string> => {
  const { version } = result as { version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
};
