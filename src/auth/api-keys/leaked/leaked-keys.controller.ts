import { setTimeout as wait } from 'node:timers/promises';
import { Controller, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { sourceOf } from '#limits';
import { readBytes } from '../../../platform/http/json-body.js';
import { Open } from '../../../platform/http/open.js';
import { traceOf } from '../../../platform/audit/act.js';
import { SlidingWindowsRepository } from '../../../platform/limits/sliding-windows.repository.js';
import { keyShownIn, largestReport } from './leaked-key-report.js';
import { tooManyReports } from './leaked-keys.errors.js';
import { LeakedKeys } from './leaked-keys.service.js';

const reports = { limit: 10, windowMs: 3_600_000 };
/** Every response takes this long, which is longer than a revocation, so its timing does not reveal a known key. */
const answerAfterMs = 150;

/**
 * Receives the keys that secret scanners find. It is not an operation, because a scanner has no credential of ours. The
 * response is the same for every report.
 */
@Controller('leaked-keys')
@Open()
export class LeakedKeysController {
  constructor(
    private readonly windows: SlidingWindowsRepository,
    private readonly leaked: LeakedKeys,
  ) {}

  /** @throws rate_limit_error with Retry-After. */
  @Post()
  async report(@Req() request: Request, @Res() response: Response): Promise<void> {
    const waitMs = await this.windows.take(`leaked keys ${sourceOf(request.ip)}`, reports);
    if (waitMs > 0) throw tooManyReports(reports.limit, Math.ceil(waitMs / 1_000));
    const key = keyShownIn(await readBytes(request, largestReport).catch(() => undefined));
    await Promise.all([key && this.leaked.report(key, traceOf(request.context)), wait(answerAfterMs)]);
    response.status(200).end();
  }
}
