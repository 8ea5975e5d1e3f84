import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { forbidden } from '#errors';
import { contextOf } from '#operations';

const code = 'TWO_FACTOR_REQUIRED';

/**
 * Fifth guard: where the organization demands a second factor, whoever has none is refused everything, with tokens
 * issued earlier too (Interface Specification, OAuth 2.1 access tokens).
 */
@Injectable()
export class TwoFactorGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { caller } = contextOf(host);
    if (!caller?.secondFactorMissing) return true;
    throw forbidden(
      'This organization requires two-factor authentication. Enroll a second factor under /account/security, then try again.',
      code,
      { code, orgId: caller.orgId },
    );
  }
}
