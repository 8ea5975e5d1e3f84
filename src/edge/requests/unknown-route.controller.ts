import { All, Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { invalidField } from '#errors';
import { noSuchPath } from '../../platform/http/no-such-path.js';

/**
 * Handles every request without a route, so it must come last. Nest's own 404 would run no guards, and unknown paths
 * authenticate and count too (Interface Specification, Limits).
 */
@Controller()
export class UnknownRouteController {
  @All(['', '*path'])
  answer(@Req() request: Request): never {
    if (request.context.malformedPath) {
      throw invalidField([], 'The address contains an invalid escape. Write it in UTF-8, percent-encoded.');
    }
    throw noSuchPath();
  }
}
