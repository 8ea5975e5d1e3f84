import { All, Controller, Get, Inject, Req } from '@nestjs/common';
import type { Request } from 'express';
import { ServiceError } from '#errors';
import { type Config, CONFIG } from '../../platform/config/app.config.js';

/** What is left, so it must come last. */
@Controller()
export class OtherAddressesController {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** The entry keeps nothing: while it lives it can be asked, whichever regions are up. */
  @Get(['healthz', 'readyz'])
  health(@Req() { context: { requestId } }: Request) {
    return { data: { status: 'ok' }, meta: { requestId } };
  }

  @All(['', '*path'])
  refuse(): never {
    const cells = Object.values(this.config.regionUrls).join(', ');
    const message = `Not found. This address serves /mcp for every region; everything else is at ${cells}.`;
    throw new ServiceError({ status: 404, message });
  }
}
