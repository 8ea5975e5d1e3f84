import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport';
import type { RequestCaller } from '#access';
import { CredentialsService } from './credentials.service.js';

type Done = (error: unknown, caller: RequestCaller | null) => void;

/** The passport adapter: it has the request validated and reports the result to passport. */
class RequestStrategy extends Strategy {
  constructor(private readonly verify: (request: Request, done: Done) => void) {
    super();
  }

  override authenticate(request: Request): void {
    this.verify(request, (error, caller) => (caller ? this.success(caller) : this.error(error)));
  }
}

/**
 * The one passport strategy: every kind of credential arrives as a bearer token, and its prefix identifies the kind.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(RequestStrategy, 'bearer') {
  constructor(private readonly credentials: CredentialsService) {
    super();
  }

  /** @throws authentication_error. */
  async validate(request: Request): Promise<RequestCaller> {
    const { context, headers, ip } = request;
    context.presented = { authorization: headers.authorization, ip, agent: headers['user-agent'] };
    return await this.credentials.callerOf(context.presented, context.requestId);
  }
}
