import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { notFound } from '#errors';
import { Open } from '../../edge/open.js';
import { FeedsService } from './feeds.service.js';

/** Where the calendars of properties are read; the address is the key to it, so it is neither logged nor indexed. */
@Open()
@Controller('calendars')
export class CalendarsController {
  constructor(private readonly feeds: FeedsService) {}

  @Get(':file')
  async read(@Param('file') file: string, @Res() response: Response): Promise<void> {
    const token = /^([A-Za-z0-9]{1,100})\.ics$/.exec(file)?.[1];
    const calendar = token && (await this.feeds.read(token));
    if (!calendar) throw notFound('calendar');
    response
      .set({
        'Content-Type': 'text/calendar; charset=utf-8',
        'Content-Disposition': 'inline; filename="stays.ics"',
        'Cache-Control': 'private, max-age=300',
        'X-Robots-Tag': 'noindex',
      })
      .send(calendar);
  }
}
