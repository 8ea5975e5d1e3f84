import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Readiness } from '../../platform/health/readiness.js';

/** While the process drains, every response closes its connection, so that clients move to other nodes. */
export const endConnectionsWhileDraining =
  (readiness: Readiness): RequestHandler =>
  (_request: Request, response: Response, next: NextFunction): void => {
    if (readiness.draining) response.setHeader('Connection', 'close');
    next();
  };
