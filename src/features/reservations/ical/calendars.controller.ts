import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { notFound } from '#errors';
import { Open } from '../../../platform/http/open.js';
import { FeedsService } from './feeds.service.js';

/** In a thread of Node's own. */
const unpacked = promisify(gunzip);

/**
 * Whether the client has this file. A client that also sends `Cache-Control: no-cache`, as fetch does, only
 * revalidates.
 */
const isKnown = (request: Request, etag: string): boolean =>
  (request.get('If-None-Match') ?? '').split(',').some((known) => ['*', etag].includes(known.trim()));

/** Serves the calendars of properties. The address is the key to a calendar, so it is neither logged nor indexed. */
@Open()
@Controller('calendars')
export class CalendarsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get(':file')
  async read(@Param('file') file: string, @Req() request: Request, @Res() response: Response): Promise<void> {
    const token = /^([A-Za-z0-9]{1,100})\.ics$/.exec(file)?.[1];
    const calendar = token && (await this.feeds.read(token));
    if (!calendar) throw notFound('calendar', 'Ask for its current address.');
    const { etag, gzip } = calendar;
    response.set({
      'Content-Type': 'text/calendar; charset=utf-8',
      'Content-Disposition': 'inline; filename="stays.ics"',
      'Cache-Control': 'private, max-age=300',
      'X-Robots-Tag': 'noindex',
      Vary: 'Accept-Encoding',
      ETag: etag,
    });
    if (isKnown(request, etag)) response.status(304).end();
    else if (request.acceptsEncodings('gzip')) response.set('Content-Encoding', 'gzip').send(Buffer.from(gzip));
    else response.send(await unpacked(gzip));
  }
}
