import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { errorAnswer, type ServiceError, unavailable } from '#errors';
import type { Overload } from '../../platform/health/overload.js';
import { isProbe } from '../../platform/health/probes.js';
import type { Metrics } from '../../platform/metrics/metrics.js';
import { sendPageOrEnvelope } from '../answers/error-page-or-envelope.js';

const retryAfterSeconds = 1;

/**
 * The owner of a request before authentication: its address, or nobody if it has a credential or is a probe, which
 * competes with no organization.
 */
export const visitorOf = ({ headers, ip, path }: Request): string | undefined =>
  headers.authorization === undefined && !isProbe(path) ? `address ${ip}` : undefined;

/**
 * The error of an overloaded process.
 *
 * @param owner the owner, if known: an organization, or the address of a request without a credential.
 * @returns undefined if the request is accepted.
 */
export function refusalFor(owner: string | undefined, overload: Overload, metrics: Metrics): ServiceError | undefined {
  if (overload.refusesAll) {
    metrics.count('shed', ['general']);
    return unavailable('The service is overloaded. Send the request again after Retry-After.', retryAfterSeconds);
  }
  return owner !== undefined && overload.refuses(owner) ? refusalOfItsOwnLoad(metrics) : undefined;
}

/** The error for one whose own requests are too many. */
export function refusalOfItsOwnLoad(metrics: Metrics): ServiceError {
  metrics.count('shed', ['own load']);
  return unavailable(
    'The service is overloaded, mostly by your requests. Send fewer, and repeat this one after Retry-After.',
    retryAfterSeconds,
  );
}

/**
 * While the process is overloaded and rejecting the causes does not help, all requests are rejected, so that those in
 * progress can finish. Probes are always answered, because a busy process must not be restarted. Callers with a
 * credential are known only later (`SheddingGuard`).
 */
export const shedWhileOverloaded =
  (overload: Overload, metrics: Metrics): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    const refusal = isProbe(request.path) ? undefined : refusalFor(visitorOf(request), overload, metrics);
    if (!refusal) return next();
    const { requestId, action } = request.context;
    sendPageOrEnvelope(request, response, refusal, errorAnswer(refusal, requestId, action));
  };
