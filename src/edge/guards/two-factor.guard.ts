import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { forbidden, shaped } from '#errors';
import { contextOf } from '#operations';
import { TwoFactorDetails } from './refusal-details.dto.js';

const code = 'TWO_FACTOR_REQUIRED';

/**
 * Fifth guard: if the organization requires a second factor, rejects every request of people who have none, even with
 * tokens issued earlier (Interface Specification, OAuth 2.1 access tokens).
 */
@Injectable()
export class TwoFactorGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { caller } = contextOf(host);
    if (!caller?.secondFactorMissing) return true;
    throw twoFactorRequired(caller.orgId);
  }
}

export const twoFactorRequired = (orgId: string) =>
  forbidden(
    'This organization requires two-factor authentication. Add a second factor under /account/security, then try again.',
    code,
    shaped(TwoFactorDetails, { code, orgId }),
  );
