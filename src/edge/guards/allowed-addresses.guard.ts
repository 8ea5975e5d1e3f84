import type { Request } from 'express';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isWithinRanges, shownAddress } from '#access';
import { forbidden } from '#errors';
import { contextOf } from '#operations';

/**
 * Fourth guard: a key with addresses works only from those. It runs after the rate limit, so that such requests count.
 * A tool call has the address of its HTTP request, which has been checked.
 */
@Injectable()
export class AllowedAddressesGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { caller, door } = contextOf(host);
    if (door !== 'rest' || caller?.credential.kind !== 'api-key') return true;
    const { allowedAddresses } = caller.credential;
    if (!allowedAddresses) return true;
    const { ip } = host.switchToHttp().getRequest<Request>();
    if (isWithinRanges(ip, allowedAddresses)) return true;
    throw addressNotAllowed(shownAddress(ip));
  }
}

export const addressNotAllowed = (address: string | null) =>
  forbidden(
    `This API key does not work from ${address ?? 'this address'}. Use an allowed address, or a key that allows this one.`,
    'ADDRESS_NOT_ALLOWED',
  );
