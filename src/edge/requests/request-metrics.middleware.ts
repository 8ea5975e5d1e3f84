import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { isProbe } from '../../platform/health/probes.js';
import type { Metrics } from '../../platform/metrics/metrics.js';

const clientHasGone = 499;

const doorOf = (url: string): string => (url.startsWith('/api/') ? 'rest' : url.startsWith('/mcp') ? 'mcp' : 'pages');

/** Of a tool call, the status of its result. */
export const statusOf = ({ context }: Request, { headersSent, statusCode }: Response): number =>
  context.toolCall?.answer.status ?? (headersSent ? statusCode : clientHasGone);

/**
 * Counts each request when its response is complete or its client has disconnected; a tool call by the tool's outcome.
 */
export const countRequests =
  (metrics: Metrics): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    response.once('close', () => {
      if (isProbe(request.path)) return;
      const { operation, toolCall } = request.context;
      const asked = [(toolCall?.operation ?? operation)?.name ?? 'none', doorOf(request.originalUrl)];
      metrics.count('requests', [...asked, String(statusOf(request, response))]);
      metrics.observe('requestSeconds', asked, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
