import type { Answer, SuccessEnvelope } from '#errors';
import { type Operation, successEnvelope } from '#operations';

/**
 * What an operation's result is answered with; only fields of the output class leave the service.
 *
 * @param more what else its meta say.
 */
export function successAnswer(
  operation: Operation,
  result: unknown,
  requestId: string,
  more: Partial<SuccessEnvelope['meta']> = {},
): Answer {
  const location = operation.follow?.(result);
  const { data, meta } = successEnvelope(operation.output, result, requestId);
  return {
    status: operation.status === 202 && location === undefined ? 200 : operation.status,
    value: { data, meta: { ...meta, ...more } },
    headers: { ...entityTag(result), ...(location !== undefined && { Location: `/api/v1${location}` }) },
  };
}

const entityTag = (result: unknown): Record<string, string> => {
  const { version } = result as { version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
};
