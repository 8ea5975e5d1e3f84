import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { fileNotFound } from '../tasks.errors.js';
import { Open } from '../../../platform/http/open.js';
import { AttachmentsService, type FileLink } from './attachments.service.js';

/** Serves links to files: anyone with a link can download its file until the link expires. */
@Open()
@Controller('attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @Get(':orgId/:fileId')
  async fetch(
    @Param() path: Pick<FileLink, 'orgId' | 'fileId'>,
    @Query() query: Omit<FileLink, 'orgId' | 'fileId'>,
    @Res() response: Response,
  ): Promise<void> {
    const link = { ...path, ...query };
    const isWhole =
      Object.values(link).every((value) => typeof value === 'string') && typeof link.signature === 'string';
    const content = isWhole ? await this.attachments.open(link) : undefined;
    if (!content) throw fileNotFound();
    response
      .set({
        'Content-Type': link.type,
        'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(link.name)}`,
        'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'private, no-store',
      })
      .send(content);
  }
}
