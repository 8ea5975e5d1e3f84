import type { Request } from 'express';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { isWithinRanges, shownAddress } from '#access';
import { forbidden } from '#errors';
import { contextOf } from '#operations';

/**
 * Fourth guard: a key that names addresses works only from those. It comes after the rate limit, so that such requests
 * count. A tool call comes from where the HTTP request that carries it comes from, and that has been checked.
 */
@Injectable()
export class AllowedAddressesGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    const { caller, door } = contextOf(host);
    const allowed = caller?.credential.allowedAddresses;
    if (door !== 'rest' || !allowed) return true;
    const { ip } = host.switchToHttp().getRequest<Request>();
    if (isWithinRanges(ip, allowed)) return true;
    throw addressNotAllowed(shownAddress(ip));
  }
}

const addressNotAllowed = (address: string | null) =>
  forbidden(
    `This API key does not work from ${address ?? 'this address'}. Use an allowed address, or a key that allows this one.`,
    'ADDRESS_NOT_ALLOWED',
  );
