import type { RequestContext } from '#context';

declare module 'express-serve-static-core' {
  interface Request {
    /** Put there by the first thing that a request meets. */
    context: RequestContext;
  }
}
