import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport';
import type { CredentialsService } from './bearer/credentials.service.js';
import { originOf } from './bearer/origin.js';

/**
 * The one passport strategy: every kind of credential arrives as a bearer, and its prefix tells which it is. The
 * service comes with the call, because passport keeps strategies for the whole process and a process may hold several
 * applications.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  override authenticate(request: Request, { credentials }: { credentials: CredentialsService }): void {
    const { headers, context } = request;
    credentials.callerOf(headers.authorization, context.requestId, originOf(request)).then(
      (caller) => this.success(caller),
      (error: unknown) => this.error(error),
    );
  }

  validate(): never {
    throw new Error('The strategy authenticates by itself');
  }
}
