import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport';
import type { RequestCaller } from '#access';
import type { CredentialsService } from './credentials.service.js';
import { originOf } from './origin.js';

/**
 * Passed with each call, because passport keeps strategies per process, and a process may hold several applications.
 */
export interface BearerOptions {
  credentials: CredentialsService;
}

type Done = (error: unknown, caller: RequestCaller | null) => void;

/** The passport adapter: it has the request validated and reports the result to passport. */
class RequestStrategy extends Strategy {
  constructor(private readonly verify: (request: Request, options: BearerOptions, done: Done) => void) {
    super();
  }

  override authenticate(request: Request, options: BearerOptions): void {
    this.verify(request, options, (error, caller) => (caller ? this.success(caller) : this.error(error)));
  }
}

/**
 * The one passport strategy: every kind of credential arrives as a bearer token, and its prefix identifies the kind.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(RequestStrategy, 'bearer') {
  /** @throws authentication_error. */
  async validate(request: Request, { credentials }: BearerOptions): Promise<RequestCaller> {
    const { context, headers } = request;
    const origin = originOf(request);
    context.reauthenticate = () => credentials.callerOf(headers.authorization, context.requestId, origin);
    return await context.reauthenticate();
  }
}
