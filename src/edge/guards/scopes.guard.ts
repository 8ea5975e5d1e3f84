import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { may, type RequestCaller } from '#access';
import type { Door } from '#context';
import { ServiceError } from '#errors';
import { contextOf, type Operation } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { scopeChallenge, scopesWith } from './challenge.js';

/** Sixth guard: an operation needs its scope (Interface Specification, Authentication). */
@Injectable()
export class ScopesGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(host: ExecutionContext): boolean {
    const { operation, caller, door } = contextOf(host);
    if (!operation?.scope || (caller && may(caller, operation.scope))) return true;
    throw new ServiceError({
      status: 403,
      message: `Missing permission ${operation.scope} for ${operation.name}.`,
      headers: caller ? this.challengeFor(caller, operation, door) : {},
    });
  }

  /** The person can approve a scope that the application was not granted, but not one that they do not have. */
  private challengeFor({ credential }: RequestCaller, { scope = '' }: Operation, door: Door): Record<string, string> {
    if (credential.kind !== 'oauth' || credential.scopes.has(scope)) return {};
    const scopes = scopesWith(scope, credential.scopes);
    return { 'WWW-Authenticate': scopeChallenge(this.config, scopes, door === 'mcp' ? '/mcp' : '/api/v1') };
  }
}
