import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { errorAnswer, type ServiceError, unavailable } from '#errors';
import type { Overload } from '../platform/health/overload.js';
import { isProbe } from '../platform/health/probes.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import { writeHead } from '../platform/http/error-envelope.js';

const retryAfterSeconds = 1;

/** Who a request counts for while nobody is authenticated: its address, and nobody where it brings a credential. */
export const visitorOf = ({ headers, ip }: Request): string | undefined =>
  headers.authorization === undefined ? `address ${ip}` : undefined;

/**
 * The refusal of an overloaded process.
 *
 * @param owner whoever asks, if it is known by now: an organization, or the address of a request without a credential.
 * @returns undefined where it is answered.
 */
export function refusalFor(owner: string | undefined, overload: Overload, metrics: Metrics): ServiceError | undefined {
  if (overload.refusesAll) {
    metrics.count('shed', ['general']);
    return unavailable('The service is overloaded just now; send the request again.', retryAfterSeconds);
  }
  if (owner === undefined || !overload.refuses(owner)) return undefined;
  metrics.count('shed', ['own load']);
  return unavailable(
    'The service is overloaded, mostly by your requests. Send fewer, and this one again.',
    retryAfterSeconds,
  );
}

/**
 * While the process is overloaded and to refuse those who cause it does not help, all requests are refused, so that those
 * which have begun come to an end. Probes are always answered: a process that is busy is not to be restarted. Who comes
 * with a credential is known only later (`SheddingGuard`).
 */
export const shedWhileOverloaded =
  (overload: Overload, metrics: Metrics): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    const refusal = isProbe(request.path) ? undefined : refusalFor(visitorOf(request), overload, metrics);
    if (!refusal) return next();
    const { requestId, action } = request.context;
    const answer = errorAnswer(refusal, requestId, action);
    writeHead(response, answer);
    response.send(answer.body);
  };
