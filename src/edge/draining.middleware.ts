import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Readiness } from '../platform/health/readiness.js';

/** While the process drains, every answer ends its connection, so that clients go on elsewhere. */
export const endConnectionsWhileDraining =
  (readiness: Readiness): RequestHandler =>
  (_request: Request, response: Response, next: NextFunction): void => {
    if (readiness.draining) response.setHeader('Connection', 'close');
    next();
  };
