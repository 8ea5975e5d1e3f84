import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Open } from '../../platform/http/open.js';
import { noSuchPath } from '../../platform/http/no-such-path.js';
import { contentSecurityPolicy, referencePage } from './reference-page.js';

/** The one file of @scalar/api-reference that the page needs; the build (scripts/bundle.mjs) copies it. */
const bundle = join(dirname(findPackageJSON('..', import.meta.url) as string), 'dist', 'bundle', 'api-reference.js');

/** The reference page, only from our own files: no request leaves the service's host. */
@Open({ needsDatabase: false })
@Controller('docs')
export class ReferenceController {
  private name?: Promise<string>;

  @Get()
  async page(@Res() response: Response): Promise<void> {
    const nonce = randomBytes(16).toString('base64url');
    response
      .setHeader('Content-Security-Policy', contentSecurityPolicy(nonce))
      .setHeader('Cache-Control', 'no-store')
      .type('html')
      .send(referencePage(nonce, `/docs/${await this.bundleName()}`));
  }

  /** The name changes with the content, so it can be cached permanently. */
  @Get(':name')
  async script(@Param('name') name: string, @Res() response: Response): Promise<void> {
    if (name !== (await this.bundleName())) throw noSuchPath();
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    response.sendFile(bundle, { cacheControl: false });
  }

  private bundleName(): Promise<string> {
    this.name ??= readFile(bundle).then((bytes) => {
      const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
      return `api-reference-${digest}.js`;
    });
    return this.name;
  }
}
