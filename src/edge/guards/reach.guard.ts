import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { contextOf, isWithinReach } from '#operations';
import { organizationWide } from '../../tenancy/properties/property-limit.errors.js';

/**
 * Seventh guard: a caller that is limited to some properties cannot change or reveal what applies to every property.
 */
@Injectable()
export class ReachGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { operation, caller } = contextOf(host);
    if (!operation || !caller || isWithinReach(caller, operation)) return true;
    throw organizationWide();
  }
}
