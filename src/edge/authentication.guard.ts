import type { Request, Response } from 'express';
import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import { contextOf, featureOf, operationOf } from '#operations';
import type { Config } from '../platform/config/app.config.js';
import { CONFIG } from '../platform/config/app.config.js';
import { originOf } from '../auth/bearer/origin.js';
import { CredentialsService } from '../auth/bearer/credentials.service.js';
import { challenge } from './challenge.js';
import { AddressLimits } from './address-limits.js';
import { openRouteOf } from '../platform/http/open.js';
import { OpenRequests } from './open-requests.js';
import { isUnguardedPath, noSuchPath } from './unknown-route.controller.js';

/**
 * First guard: who asks. One HTTP request is authenticated once; the tool call within it is the same caller's, and a
 * workflow brings its own. Being first, it also notes what is being asked, which validation errors and the later guards need.
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
   * Only a refusal counts against the address: whoever shares one with a flood, and has a valid credential, is never
   * refused for it.
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

  override getAuthenticateOptions(): object {
    return { credentials: this.credentials, session: false };
  }

  override handleRequest<T>(error: Error | null, caller: Caller, _info: unknown, host: ExecutionContext): T {
    if (error) throw error;
    const context = contextOf(host);
    const request = host.getArgByIndex<Request>(0);
    const { authorization } = request.headers;
    const origin = originOf(request);
    context.caller = { ...caller, logId: context.logId };
    context.reauthenticate = () => this.credentials.callerOf(authorization, context.requestId, origin);
    return caller as T;
  }
}
