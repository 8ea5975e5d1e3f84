import type { Answer, SuccessEnvelope } from '#errors';
import { type Operation, type Saved, successEnvelope } from '#operations';

/**
 * The response for an operation's result; only fields of the output class leave the service.
 *
 * @param more additional fields of its meta.
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
    status: statusOf(operation, result, location),
    value: { data, meta: { ...meta, ...more } },
    headers: {
      ...entityTag(operation.output.kind === 'saved' ? (result as Saved<unknown>).record : result),
      ...(location !== undefined && { Location: `/api/v1${location}` }),
    },
  };
}

function statusOf({ status, output }: Operation, result: unknown, location: string | undefined): number {
  if (output.kind === 'saved') return (result as Saved<unknown>).outcome === 'created' ? 201 : 200;
  return status === 202 && location === undefined ? 200 : status;
}

const entityTag = (result: unknown): Record<string, string> => {
  const { version } = result as { version?: unknown };
  return typeof version === 'number' ? { ETag: `"${version}"` } : {};
};
