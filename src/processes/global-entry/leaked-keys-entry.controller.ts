import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { regionOf } from '#regions';
import { keyShownIn, largestReport } from '../../auth/api-keys/leaked/leaked-key-report.js';
import { readBytes } from '../../platform/http/json-body.js';
import { Cells } from './cells.js';

/** Reports of leaked keys: the key names its region, whose cell handles the report. Any other report gets the same answer. */
@Controller('leaked-keys')
export class LeakedKeysEntryController {
  constructor(private readonly cells: Cells) {}

  @Post()
  async forward(@Req() request: Request, @Res() response: Response): Promise<void> {
    const body = await readBytes(request, largestReport).catch(() => undefined);
    const cell = this.cells.find(regionOf(keyShownIn(body) ?? ''));
    if (cell) return await cell.answer(request, response, body);
    response.status(200).end();
  }
}
