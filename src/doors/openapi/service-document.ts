import { Inject, Injectable } from '@nestjs/common';
import { Catalogue, type JsonSchema } from '#operations';
import type { Config } from '../../platform/config/app.config.js';
import { CONFIG } from '../../platform/config/app.config.js';

/** The OpenAPI document of this service. It is large and rarely needed, so neither it nor its code is kept. */
@Injectable()
export class ServiceDocument {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly catalogue: Catalogue,
  ) {}

  async write(): Promise<JsonSchema> {
    const { openApiDocument } = await import('./document.js');
    return openApiDocument(this.catalogue.all(), this.config);
  }
}
