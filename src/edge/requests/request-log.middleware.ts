import { performance } from 'node:perf_hooks';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isProbe } from '../../platform/health/probes.js';
import type { ServiceLogger } from '../../platform/logging/logger.js';
import { withoutSecret } from './secret-text.js';

/**
 * One line for each request when its response is complete or its client has disconnected: who requested what, from
 * which address, and how it ended. It contains no headers, query or bodies, and therefore no secret.
 */
export const requestLog =
  (log: ServiceLogger): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    // A connection that has ended no longer tells where it came from.
    const { ip } = request;
    response.once('close', () => {
      const path = pathOf(request);
      log.request(isProbe(path) ? 'debug' : 'info', { address: ip, ...lineOf(request, response, path, startedAt) });
    });
    next();
  };

const pathOf = ({ originalUrl }: Request): string => {
  const query = originalUrl.indexOf('?');
  return withoutSecret(query < 0 ? originalUrl : originalUrl.slice(0, query));
};

function lineOf({ context, method }: Request, response: Response, path: string, startedAt: number): object {
  const { requestId, logId, caller, operation = context.toolCall?.operation } = context;
  return {
    requestId,
    logId,
    method,
    path,
    status: response.statusCode,
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    ...(!response.writableFinished && { aborted: true }),
    ...(operation && { operation: operation.name }),
    ...(caller && {
      credential: { kind: caller.credential.kind, id: caller.credential.id },
      orgId: caller.orgId,
    }),
  };
}
