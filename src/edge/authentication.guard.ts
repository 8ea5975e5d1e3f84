import type { Request, Response } from 'express';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { RequestCaller } from '#access';
import { ServiceError } from '#errors';
import { contextOf, featureOf, operationOf } from '#operations';
import { type Config, CONFIG } from '../platform/config/app.config.js';
import type { BearerOptions } from '../auth/bearer/bearer.strategy.js';
import { CredentialsService } from '../auth/bearer/credentials.service.js';
import { challenge } from './challenge.js';
import { AddressLimits } from './address-limits.js';
import { openRouteOf } from '../platform/http/open.js';
import { OpenRequests } from './open-requests.js';
import { isUnguardedPath, noSuchPath } from '../platform/http/no-such-path.js';

/**
 * First guard: authentication. Each HTTP request is authenticated once; a tool call in it has the same caller, and a
 * workflow has its own. As the first guard, it also records the operation, which validation errors and the later guards
 * need.
 */
@Injectable()
export class AuthenticationGuard extends AuthGuard('bearer') {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly credentials: CredentialsService,
    private readonly open: OpenRequests,
    private readonly addresses: AddressLimits,
  ) {
    super();
  }

  override async canActivate(host: ExecutionContext): Promise<boolean> {
    const context = contextOf(host);
    context.operation = operationOf(host.getHandler());
    context.service = featureOf(host.getClass());
    if (context.door !== 'rest') return true;
    const request = host.switchToHttp().getRequest<Request>();
    const route = openRouteOf(host);
    if (route) {
      if (route.isCounted) await this.open.admit(request, route);
      return true;
    }
    if (request.headers.authorization === undefined && isUnguardedPath(request.path)) {
      await this.addresses.take(request);
      throw noSuchPath();
    }
    return await this.authenticate(host, request);
  }

  /**
   * Only a rejection counts against the address: a caller with a valid credential who shares an address with a flood is
   * never rejected for it.
   */
  private async authenticate(host: ExecutionContext, request: Request): Promise<boolean> {
    try {
      return (await super.canActivate(host)) as boolean;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 401) throw error;
      await this.addresses.take(request);
      host.getArgByIndex<Response>(1).setHeader('WWW-Authenticate', challenge(this.config, request));
      throw error;
    }
  }

  override getAuthenticateOptions(): BearerOptions & { session: boolean } {
    return { credentials: this.credentials, session: false };
  }

  override handleRequest<T>(error: Error | null, caller: RequestCaller, _info: unknown, host: ExecutionContext): T {
    if (error) throw error;
    const context = contextOf(host);
    context.caller = { ...caller, logId: context.logId };
    return caller as T;
  }
}
