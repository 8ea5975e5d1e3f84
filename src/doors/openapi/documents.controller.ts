import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { KeptText } from '../../platform/http/kept-text.js';
import { Open } from '../../platform/http/open.js';
import { ServiceDocument } from './service-document.js';

/** The public documents about the service. */
@Open({ needsDatabase: false })
@Controller()
export class DocumentsController {
  private readonly postman = new KeptText('json', async () => {
    const { postmanCollection } = await import('./postman-collection.js');
    return JSON.stringify(postmanCollection(await this.document.read()));
  });

  constructor(private readonly document: ServiceDocument) {}

  @Get('openapi.json')
  async sendDocument(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.document.text.send(request, response);
  }

  @Get('postman.json')
  async sendCollection(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.postman.send(request, response);
  }
}
