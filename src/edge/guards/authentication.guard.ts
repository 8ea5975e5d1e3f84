import type { Request, Response } from 'express';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ServiceError } from '#errors';
import { contextOf, featureOf, operationOf } from '#operations';
import { arrivingRequests } from '#turns';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { BearerStrategy } from '../../auth/bearer/bearer.strategy.js';
import { challenge } from './challenge.js';
import { AddressLimits } from '../limits/address-limits.js';
import { openRouteOf } from '../../platform/http/open.js';
import { OpenRequests } from '../overload/open-requests.js';
import { isUnguardedPath, noSuchPath } from '../../platform/http/no-such-path.js';

/**
 * First guard: authentication. Each HTTP request is authenticated once; a tool call in it has the same caller, and a
 * workflow has its own. As the first guard, it also records the operation, which validation errors and the later guards
 * need.
 */
@Injectable()
export class AuthenticationGuard implements CanActivate {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly strategy: BearerStrategy,
    private readonly open: OpenRequests,
    private readonly addresses: AddressLimits,
  ) {}

  async canActivate(host: ExecutionContext): Promise<boolean> {
    const context = contextOf(host);
    context.operation = operationOf(host.getHandler());
    context.service = featureOf(host.getClass());
    if (context.door !== 'rest') return true;
    const request = host.getArgByIndex<Request>(0);
    const route = openRouteOf(host);
    if (route) {
      if (route.isCounted) await this.open.admit(request, route);
      return true;
    }
    if (request.headers.authorization === undefined && isUnguardedPath(request.path)) {
      await this.addresses.take(request);
      throw noSuchPath();
    }
    await this.authenticate(host, request);
    return true;
  }

  /**
   * Passport's own guard, which finds the strategy by its name and extends the request, takes 4 % of a small request; there
   * is one strategy. Only a rejection counts against the address: a caller with a valid credential who shares an address
   * with a flood is never rejected for it.
   */
  private async authenticate(host: ExecutionContext, request: Request): Promise<void> {
    const { context } = request;
    const arrived = arrivingRequests.begin('anybody');
    try {
      context.caller = { ...(await this.strategy.validate(request)), logId: context.logId };
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      await this.addresses.take(request);
      host.getArgByIndex<Response>(1).setHeader('WWW-Authenticate', challenge(this.config, request));
      throw error;
    } finally {
      arrived();
    }
  }
}
