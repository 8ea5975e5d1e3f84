import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Catalogue, type JsonSchema } from '#operations';
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
  private postman?: Promise<Buffer>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly catalogue: Catalogue,
  ) {}

  @Get('openapi.json')
  async document(@Res() response: Response): Promise<void> {
    send(response, await (this.openApi ??= this.write().then(bytesOf)));
  }

  @Get('postman.json')
  async collection(@Res() response: Response): Promise<void> {
    this.postman ??= this.write().then(async (document) => {
      const { postmanCollection } = await import('./postman-collection.js');
      return bytesOf(postmanCollection(document));
    });
    send(response, await this.postman);
  }

  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  @Header('Cache-Control', cacheControl)
  llms(): string {
    return llmsText(this.config);
  }

  /** Created at the first request, and what is cached are its bytes; its code is not loaded before that. */
  private async write(): Promise<JsonSchema> {
    const { openApiDocument } = await import('./document.js');
    return openApiDocument(this.catalogue.all(), this.config.baseUrl);
  }
}

const bytesOf = (value: JsonSchema): Buffer => Buffer.from(JSON.stringify(value));

function send(response: Response, bytes: Buffer): void {
  response.setHeader('Cache-Control', cacheControl).type('json').send(bytes);
}
