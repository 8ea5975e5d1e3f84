import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField, ServiceError } from '#errors';

export const noSuchPath = (): ServiceError =>
  new ServiceError({ status: 404, message: 'There is nothing at this address; /openapi.json lists what there is.' });

/** Outside of these a request without a credential is told that there is nothing, and not asked for one. */
export const isUnguardedPath = (path: string): boolean => !/^\/(api\/v1|mcp)(\/|$)/.test(path);

/**
 * Whatever no other route took, so it must come last: Nest's own 404 would run no guards, and unknown paths
 * authenticate and count too (Interface Specification, Limits).
 */
@Controller()
export class UnknownRouteController {
  @All(['', '*path'])
  answer(@Req() request: Request): never {
    if (request.context.malformedPath) {
      throw invalidField([], 'The address holds an escape that cannot be decoded; write it as UTF-8, percent-encoded.');
    }
    throw noSuchPath();
  }
}
