import { Inject, Injectable } from '@nestjs/common';
import { Catalogue, type JsonSchema } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';
import { KeptText } from '../../platform/http/kept-text.js';

/**
 * The OpenAPI document of this service. It is rarely needed, so it is written at the first request, and only its
 * text is kept.
 */
@Injectable()
export class ServiceDocument {
  readonly text = new KeptText('json', async () => {
    const { openApiDocument } = await import('./document.js');
    return JSON.stringify(await openApiDocument(this.catalogue.all(), this.config));
  });

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly catalogue: Catalogue,
  ) {}

  async read(): Promise<JsonSchema> {
    return JSON.parse(await this.text.read()) as JsonSchema;
  }
}
