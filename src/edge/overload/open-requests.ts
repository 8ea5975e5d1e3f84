import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { Injectable } from '@nestjs/common';
import { loopTime } from '#loop-time';
import { DatabasePulse } from '../../platform/health/database-pulse.js';
import { AddressLimits } from '../limits/address-limits.js';
import { envelopeFor } from '../../platform/http/error-envelope.js';
import type { OpenRoute } from '../../platform/http/open.js';
import { sendPageOrEnvelope } from '../answers/error-page-or-envelope.js';
import { visitorOf } from './shedding.middleware.js';

type Needs = Pick<OpenRoute, 'needsDatabase'>;

/** The checks of a request to a public route before anything is done for it. */
@Injectable()
export class OpenRequests {
  constructor(
    private readonly addresses: AddressLimits,
    private readonly pulse: DatabasePulse,
  ) {}

  /** @throws rate_limit_error; service_unavailable if the route needs a database that does not respond. */
  async admit(request: Request, { needsDatabase }: Needs): Promise<void> {
    await this.addresses.take(request);
    if (needsDatabase) await this.pulse.expect();
    // The database's response belonged to nobody; what follows belongs to the visitor.
    loopTime.enter(visitorOf(request));
  }
}

/** The same for a middleware that responds before Nest's guards: the authorization server. */
export const admitOpen =
  (open: OpenRequests, routeOf: (request: Request) => Needs | undefined): RequestHandler =>
  async (request: Request, response: Response, next: NextFunction): Promise<void> => {
    const route = routeOf(request);
    if (!route) return next();
    try {
      await open.admit(request, route);
    } catch (error) {
      sendPageOrEnvelope(request, response, error, envelopeFor(error, request.context));
      return;
    }
    next();
  };
