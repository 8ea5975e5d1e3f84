import { once } from 'node:events';
import type { Request, Response } from 'express';
import { Get, Req, Res, UseGuards } from '@nestjs/common';
import type { RequestCaller } from '#access';
import type { Operation, Page } from '#operations';
import { RateLimitGuard } from '../../edge/limits/rate-limit.guard.js';
import { SheddingGuard } from '../../edge/overload/shedding.guard.js';
import type { AuditEntryView, ExportAuditEntries } from '../../platform/audit/audit-entry.dto.js';
import { exportAuditEntries } from '../../platform/audit/audit.operations.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { PageCalls } from '../../platform/pages/page-calls.service.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { ConsoleGuard, visitorOf } from './console.guard.js';
import { typedInput } from './typed-input.js';

const atOnce = 1_000;
/** As a tool returns them. */
const byPages = exportAuditEntries as unknown as Operation<ExportAuditEntries, Page<AuditEntryView>>;

/** The audit trail as a file: what the export of the API returns, for a person who is signed in. */
@PageController({ isCounted: false })
@UseGuards(ConsoleGuard, SheddingGuard, RateLimitGuard)
export class AuditExportController {
  constructor(private readonly calls: PageCalls) {}

  @Get('console/:slug/audit/export')
  async download(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { slug, timezone } = visitorOf(request).membership;
    const { cursor: _, limit: __, ...filters } = readQuery(request.originalUrl);
    const chosen = { ...typedInput(exportAuditEntries, filters, timezone), limit: atOnce };
    const next = (cursor?: string): Promise<Page<AuditEntryView>> =>
      this.calls.ask(request, request.context.caller as RequestCaller, byPages, { ...chosen, cursor });
    let page = await next();
    response.set({
      'Content-Type': 'application/x-ndjson',
      'Content-Disposition': `attachment; filename="${slug}-audit.ndjson"`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    for (;;) {
      const isTaken = response.write(page.items.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
      if (!isTaken) await Promise.race([once(response, 'drain'), once(response, 'close')]);
      if (response.closed || page.nextCursor === null) break;
      page = await next(page.nextCursor);
    }
    response.end();
  }
}
