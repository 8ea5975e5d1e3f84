import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Catalogue } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { Open } from '../../platform/http/open.js';
import { llmsText } from './llms-text.js';

/** How long a client may go without asking for the documents again. */
const cacheControl = 'public, max-age=300';

/** The documents about the service, open to all. */
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

  /** Made at the first request and kept as bytes; its code is loaded no sooner. */
  private async write(): Promise<Buffer> {
    const { openApiDocument } = await import('./document.js');
    return Buffer.from(JSON.stringify(openApiDocument(this.catalogue.all(), this.config.baseUrl)));
  }
}
