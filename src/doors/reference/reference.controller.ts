import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Catalogue } from '#operations';
import { type Config, CONFIG } from '../../platform/config/app.config.js';
import { KeptText } from '../../platform/http/kept-text.js';
import { noSuchPath } from '../../platform/http/no-such-path.js';
import { Open } from '../../platform/http/open.js';
import { ServiceDocument } from '../openapi/service-document.js';
import type { Described } from './reading.js';

/** The reference, a page for each feature, and the guides; what is in them for language models. The same for everyone. */
@Open({ needsDatabase: false })
@Controller()
export class ReferenceController {
  private pages?: Promise<Map<string, KeptText>>;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly document: ServiceDocument,
    private readonly catalogue: Catalogue,
  ) {}

  @Get(['docs', 'docs/:page', 'docs/guides/:guide', 'llms.txt', 'llms-full.txt'])
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    this.pages ??= this.find();
    const page = (await this.pages).get(request.path.replace(/\/$/, ''));
    if (!page) throw noSuchPath();
    await page.send(request, response);
  }

  /** The code of the pages is not loaded before the first request. */
  private async find(): Promise<Map<string, KeptText>> {
    const { pagesOf } = await import('./pages.js');
    const features = new Set(this.catalogue.all().map(({ feature }) => feature));
    return pagesOf(this.config, [...features], async () => (await this.document.read()) as unknown as Described);
  }
}
