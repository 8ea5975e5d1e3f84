import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Open } from '../http/open.js';
import { noSuchPath } from '../http/no-such-path.js';
import { assetAt } from './assets.js';

@Controller()
@Open({ needsDatabase: false })
export class AssetsController {
  @Get('assets/:name')
  send(@Req() request: Request, @Res() response: Response): void {
    const found = assetAt(request.path);
    if (!found) throw noSuchPath();
    response
      .set({
        'Content-Type': found.type,
        'Cache-Control': 'public, max-age=31536000, immutable',
        'X-Content-Type-Options': 'nosniff',
      })
      .send(found.body);
  }
}
