import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { may } from '#access';
import { forbidden } from '#errors';
import { contextOf } from '#operations';

/** Fourth guard: an operation needs its scope (Interface Specification, Authentication). */
@Injectable()
export class ScopesGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { operation, caller } = contextOf(host);
    const scope = operation?.scope;
    if (!scope) return true;
    if (!caller || !may(caller, scope)) throw forbidden(`Missing permission ${scope} for ${operation.name}.`);
    return true;
  }
}
