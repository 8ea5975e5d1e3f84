import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Catalogue } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Open } from '../../platform/http/open.js';
import { llmsText } from './llms-text.js';

/** How long a client may cache the documents. */
const cacheControl = 'public, max-age=300';

/** The public documents about the service. */
@Open({ needsDatabase: false })
@Controller()
export class DocumentsController {
  private openApi?: Promise<Buffer>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly catalogue: Catalogue,
  ) {}

  @Get('openapi.json')
  async document(@Res() response: Response): Promise<void> {
    this.openApi ??= this.write();
    const bytes = await this.openApi;
    response.setHeader('Cache-Control', cacheControl).type('json').send(bytes);
  }

  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', cacheControl)
  llms(): string {
    return llmsText(this.config);
  }

  /** Created at the first request and cached as bytes; its code is not loaded before that. */
  private async write(): Promise<Buffer> {
    const { openApiDocument } = await import('./document.js');
    return Buffer.from(JSON.stringify(openApiDocument(this.catalogue.all(), this.config.baseUrl)));
  }
}
